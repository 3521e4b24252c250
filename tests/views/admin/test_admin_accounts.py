"""Accounts and groups in the admin: who may change which. Deleting them is tested with accounts."""

import pytest
from django.contrib.auth.models import Group, Permission, User
from django.test import Client

pytestmark = pytest.mark.django_db


@pytest.fixture
def clerk(client: Client) -> Client:
    """Return the client of a staff member who looks after accounts but is no superuser."""
    user = User.objects.create_user("clerk", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(content_type__model="user"))
    client.force_login(user)
    return client


def change_account(client: Client, account: User, **fields: str) -> int:
    """Send the form of an account; return the status of the answer."""
    form = {"username": account.username, "date_joined_0": "2026-11-21", "date_joined_1": "12:00:00"} | fields
    status = client.post(f"/admin/auth/user/{account.pk}/change/", form).status_code
    account.refresh_from_db()
    return status


def set_password(client: Client, account: User) -> int:
    form = {"usable_password": "true", "password1": "six dice and a cup", "password2": "six dice and a cup"}
    return client.post(f"/admin/auth/user/{account.pk}/password/", form).status_code


def test_staff_change_and_delete_the_accounts_of_players(clerk: Client) -> None:
    ana = User.objects.create_user("ana")
    assert change_account(clerk, ana, first_name="Ana", is_active="on") == 302
    assert (ana.first_name, ana.is_active) == ("Ana", True)
    assert set_password(clerk, ana) == 302
    assert clerk.post(f"/admin/auth/user/{ana.pk}/delete/", {"post": "yes"}).status_code == 302
    assert not User.objects.filter(pk=ana.pk).exists()


def test_staff_give_nobody_rights(clerk: Client) -> None:
    ana = User.objects.create_user("ana")
    some = Permission.objects.filter(codename="change_rulesetrow").get()
    rights = {"is_staff": "on", "is_superuser": "on", "user_permissions": str(some.pk)}
    assert change_account(clerk, ana, is_active="on", **rights) == 302
    assert (ana.is_staff, ana.is_superuser, ana.user_permissions.count()) == (False, False, 0)


@pytest.mark.parametrize("name", ["clerk", "root", "editor"])
def test_staff_cannot_change_or_delete_an_account_that_has_rights(clerk: Client, name: str) -> None:
    User.objects.create_superuser("root")
    User.objects.create_user("editor", is_staff=True)
    account = User.objects.get(username=name)
    assert clerk.get(f"/admin/auth/user/{account.pk}/change/").status_code == 200
    assert change_account(clerk, account, is_superuser="on") == 403
    assert set_password(clerk, account) == 403
    assert clerk.post(f"/admin/auth/user/{account.pk}/delete/", {"post": "yes"}).status_code == 403
    chosen = {"action": "delete_selected", "_selected_action": str(account.pk), "post": "yes"}
    assert clerk.post("/admin/auth/user/", chosen).status_code == 403
    assert User.objects.filter(username=name, is_superuser=name == "root").exists()


def test_a_superuser_gives_rights(admin_client: Client) -> None:
    ana = User.objects.create_user("ana")
    assert change_account(admin_client, ana, is_active="on", is_staff="on") == 302
    assert ana.is_staff
    assert set_password(admin_client, ana) == 302


def change_group(client: Client, group: Group, name: str, right: Permission) -> int:
    form = {"name": name, "permissions": str(right.pk)}
    return client.post(f"/admin/auth/group/{group.pk}/change/", form).status_code


def test_only_a_superuser_gives_rights_to_a_group(clerk: Client) -> None:
    group, right = Group.objects.create(name="Helpers"), Permission.objects.get(codename="change_rulesetrow")
    User.objects.get(username="clerk").user_permissions.add(*Permission.objects.filter(content_type__model="group"))
    assert change_group(clerk, group, "Friends", right) == 302
    assert clerk.post("/admin/auth/group/add/", {"name": "Others", "permissions": str(right.pk)}).status_code == 302
    assert {group.name: group.permissions.count() for group in Group.objects.all()} == {"Friends": 0, "Others": 0}
    clerk.force_login(User.objects.create_superuser("root"))
    assert change_group(clerk, group, "Friends", right) == 302
    assert group.permissions.get() == right
