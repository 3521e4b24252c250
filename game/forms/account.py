"""Signing up and in. Django's own forms; only what they ask for, and how, is ours."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django import forms
from django.conf import settings
from django.contrib.auth.forms import AuthenticationForm, BaseUserCreationForm, PasswordResetForm, UsernameField
from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from game.lock import keep_others_out, write_lock

NAME_LONGEST = 24
A_MOMENT = timedelta(minutes=1)
TAKEN = forms.ValidationError(_("Somebody has that name already. Choose another one."), code="unique")


class SignUpForm(BaseUserCreationForm):
    """A name and a password; an address only where this site can send mail, and only if somebody likes."""

    username = UsernameField(
        label=_("Name"),
        max_length=NAME_LONGEST,
        help_text=_(
            "Letters, digits and @ . + - _, up to 24. You sign in with it; in games you can be called otherwise."
        ),
        widget=forms.TextInput(attrs={"autocomplete": "username", "autocapitalize": "none"}),
    )
    email = forms.EmailField(
        label=_("E-mail (may stay empty)"),
        required=False,
        help_text=_("Only to let you choose a new password."),
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )

    class Meta:
        model = User
        fields = ("username", "email")
        field_classes = {"username": UsernameField}
        error_messages = {"username": {"unique": TAKEN.message}}

    field_order = ("username", "password1", "password2", "email")

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        if not settings.EMAIL_HOST:
            del self.fields["email"]

    def clean_username(self) -> str:
        name = self.cleaned_data["username"]
        if User.objects.filter(username__iexact=name).exists():
            raise TAKEN
        return name

    def account(self) -> User | None:
        """The new account, or the one that the same press has made already; None where something is wrong."""
        if self.is_valid():
            user = self.save(commit=False)  # its password takes long to hash
            try:
                with write_lock(), transaction.atomic():
                    keep_others_out(User)
                    self.clean_username()  # somebody may have been quicker, and have written it with another capital
                    user.save()
                return user
            except forms.ValidationError as taken:
                self.add_error("username", taken)
        return self.made_just_now() if self.has_error("username", TAKEN.code) else None

    def made_just_now(self) -> User | None:
        """By whoever pressed twice. Only for a moment: this is no second place to try passwords."""
        name = self.fields["username"].to_python(self.data["username"])
        found = User.objects.filter(username=name, date_joined__gt=timezone.now() - A_MOMENT).first()
        return found if found and found.check_password(self.cleaned_data.get("password1", "")) else None


class SignInForm(AuthenticationForm):
    username = UsernameField(label=_("Name"), widget=forms.TextInput(attrs={"autocomplete": "username"}))
    error_messages = {
        "invalid_login": _("Name and password do not go together. Capital letters count in both."),
        "inactive": _("This account is closed."),
    }


class ForgottenForm(PasswordResetForm):
    email = forms.EmailField(label=_("E-mail"), widget=forms.EmailInput(attrs={"autocomplete": "email"}))
