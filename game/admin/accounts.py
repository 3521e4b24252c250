"""Accounts and groups in the admin: Django's own pages, on which only superusers give rights."""

from typing import Any

from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.models import Group, User
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse

from game.admin.lists import SafeList
from game.services import accounts, calls

RIGHTS = ("is_staff", "is_superuser", "groups", "user_permissions")

admin.site.unregister((User, Group))


@admin.register(User)
class AccountAdmin(SafeList, UserAdmin):  # type: ignore[type-arg]
    """The accounts. Deleting one makes its players sit out in games with others, who would otherwise wait for ever.

    The rest of the account is deleted, and so are games in which nobody else sits.

    Only superusers give rights, and change accounts that have some: all others could take a superuser's for themselves.
    """

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> tuple[str, ...]:
        fixed = super().get_readonly_fields(request, obj)
        return tuple(fixed) if is_superuser(request) else (*fixed, *RIGHTS)

    def has_change_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        return super().has_change_permission(request, obj) and (is_superuser(request) or not has_rights(obj))

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        return super().has_delete_permission(request, obj) and (is_superuser(request) or not has_rights(obj))

    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> HttpResponse:  # noqa: A002
        """Set a new password and stop calls to the account's browsers, as when its owner chooses one."""
        response = super().user_change_password(request, id, form_url)
        if request.method == "POST" and response.status_code == 302:
            calls.forget_browsers_of(int(id), but=None)
        return response

    def delete_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> HttpResponse:
        """Ask, and delete without Django's single transaction, since each game is locked separately."""
        return self._delete_view(request, object_id, extra_context)  # type: ignore[attr-defined, no-any-return]

    def delete_model(self, request: HttpRequest, obj: User) -> None:
        accounts.delete_account(obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[User]) -> None:
        for user in queryset:
            accounts.delete_account(user)


@admin.register(Group)
class AccountGroupAdmin(SafeList, GroupAdmin):
    """The groups of accounts. Only superusers change what a group may do: its members get these rights."""

    def get_readonly_fields(self, request: HttpRequest, obj: Group | None = None) -> tuple[str, ...]:
        fixed = super().get_readonly_fields(request, obj)
        return tuple(fixed) if is_superuser(request) else (*fixed, "permissions")


def is_superuser(request: HttpRequest) -> bool:
    """Return whether whoever sent the request may do everything."""
    return isinstance(request.user, User) and request.user.is_superuser


def has_rights(account: User | None) -> bool:
    """Return whether this account can do more than play."""
    return account is not None and (account.is_staff or account.is_superuser)
