"""Accounts in the admin: Django's own pages, except that an account is deleted as its owner would delete it."""

from typing import Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse

from game.admin.lists import SafeList
from game.services import accounts

admin.site.unregister(User)


@admin.register(User)
class AccountAdmin(SafeList, UserAdmin):  # type: ignore[type-arg]
    """The accounts. Deleting one makes its players sit out in games with others, who would otherwise wait for ever.

    The rest of the account is deleted, and so are games in which nobody else sits.
    """

    def delete_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> HttpResponse:
        """Ask, and delete without Django's single transaction, since each game is locked separately."""
        return self._delete_view(request, object_id, extra_context)  # type: ignore[attr-defined, no-any-return]

    def delete_model(self, request: HttpRequest, obj: User) -> None:
        """Delete the account."""
        accounts.delete_account(obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[User]) -> None:
        """Delete the chosen accounts."""
        for user in queryset:
            accounts.delete_account(user)
