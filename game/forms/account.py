"""The forms of accounts: Django's own, with our fields and our words."""

from datetime import timedelta
from typing import Any

from django import forms
from django.conf import settings
from django.contrib.auth.forms import (
    AuthenticationForm,
    BaseUserCreationForm,
    PasswordChangeForm,
    PasswordResetForm,
    SetPasswordForm,
    SetPasswordMixin,
    UsernameField,
)
from django.contrib.auth.models import User
from django.contrib.auth.password_validation import (
    CommonPasswordValidator,
    MinimumLengthValidator,
    UserAttributeSimilarityValidator,
)
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from game.services import accounts

NAME_LONGEST = 24
REPEAT_WINDOW = timedelta(minutes=1)
AGAIN = "password2"  # the field in which a password is repeated
WRONG_PASSWORD = _("That is not your password. Capital letters matter.")
TAKEN = forms.ValidationError(accounts.NameTaken.sentence, code="unique")


class LengthValidator(MinimumLengthValidator):
    def get_error_message(self) -> str:
        return str(_("This password is too short: use at least 8 characters."))


class SimilarityValidator(UserAttributeSimilarityValidator):
    def get_error_message(self) -> str:
        return str(_("This password is too much like your name or your email address."))


class CommonnessValidator(CommonPasswordValidator):
    def get_error_message(self) -> str:
        return str(_("This password is too easy to guess: many people use it."))


class EmailField(forms.EmailField):
    default_error_messages = dict.fromkeys(
        ("required", "invalid", "max_length"), _("Enter an email address, as in ana@example.org.")
    )


class PasswordTwice(SetPasswordMixin, forms.BaseForm):  # type: ignore[type-arg]
    """Takes a new password twice, and says in one sentence, to "you", what it must be like."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        first, again = (field for name, field in self.fields.items() if name.endswith(("password1", "password2")))
        first.help_text = _("At least 8 characters, hard to guess and not like your name.")
        again.help_text = ""

    def validate_password_for_user(self, user: User, password_field_name: str = AGAIN) -> None:
        """Report what is wrong with a password at its own field; Django does so where it is repeated."""
        super().validate_password_for_user(user, password_field_name.replace(AGAIN, "password1"))


class SignUpForm(PasswordTwice, BaseUserCreationForm[User]):
    """A name and a password; an email address, if wanted, only where this site can send mail."""

    username = UsernameField(
        label=_("Name"),
        max_length=NAME_LONGEST,
        help_text=_("Letters, digits and @ . + - _, up to 24. You sign in with it; in games you can use another name."),
        error_messages={
            "invalid": _("Use only letters, digits and @ . + - _, no spaces."),
            "max_length": _("Use up to 24 characters."),
            "unique": TAKEN.message,
        },
        widget=forms.TextInput(attrs={"autocomplete": "username", "autocapitalize": "none"}),
    )
    email = EmailField(
        label=_("Email (optional)"),
        required=False,
        help_text=_(
            "Only used to let you choose a new password, and to notify you when it’s your turn if you ask for that."
        ),
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )

    class Meta:
        model = User
        fields = ("username", "email")
        field_classes = {"username": UsernameField}

    field_order = ("username", "password1", "password2", "email")

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        if not settings.EMAIL_HOST:
            del self.fields["email"]

    def clean_username(self) -> str:
        """Return the name. Raises `ValidationError` if an account has it already, whatever its upper or lower case."""
        name: str = self.cleaned_data["username"]
        if accounts.is_name_taken(name):
            raise TAKEN
        return name

    def create_account(self) -> User | None:
        """Return the new account, or the one that the same press made before; None if the form is invalid."""
        if self.is_valid():
            user: User = self.save(commit=False)  # outside the lock: hashing a password is slow
            try:
                accounts.create_account(user)
                return user
            except accounts.NameTaken:
                self.add_error("username", TAKEN)
        return self.find_just_made() if self.has_error("username", TAKEN.code) else None

    def find_just_made(self) -> User | None:
        """Return the account that a double press made within a minute: later, this would let people try passwords."""
        name = self.fields["username"].to_python(self.data["username"])
        user = User.objects.filter(username=name, date_joined__gt=timezone.now() - REPEAT_WINDOW).first()
        return user if user and user.check_password(self.cleaned_data.get("password1", "")) else None


class SignInForm(AuthenticationForm):
    """Django's form with our words."""

    username = UsernameField(label=_("Name"), widget=forms.TextInput(attrs={"autocomplete": "username"}))
    error_messages = {
        "invalid_login": _("Wrong name or password. Capital letters matter in both."),
        "inactive": _("This account is closed."),
    }

    def get_invalid_login_error(self) -> forms.ValidationError:
        """Return why nobody was signed in. Django finds no user for a closed account, whatever the password."""
        closed = User.objects.filter(username=self.cleaned_data["username"], is_active=False).first()
        if closed and closed.check_password(self.cleaned_data["password"]):
            return forms.ValidationError(self.error_messages["inactive"], code="inactive")
        return super().get_invalid_login_error()


class NewPasswordForm(PasswordTwice, SetPasswordForm):  # type: ignore[type-arg]
    """Sets a new password for whoever has the link for that."""


class ChangePasswordForm(PasswordTwice, PasswordChangeForm):
    """Sets a new password for whoever knows the old one."""

    error_messages = PasswordChangeForm.error_messages | {"password_incorrect": _("That is not your old password.")}


class DeleteForm(forms.Form):
    """Asks for the password before an account is deleted, since others may sit down at a browser that is signed in.

    It names the account: a double press finds nobody signed in, and browsers drop the answer to the first.
    """

    account = forms.IntegerField(required=False, widget=forms.HiddenInput)
    password = forms.CharField(
        label=_("Your password"),
        max_length=4096,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )

    def __init__(self, user: User, data: Any = None) -> None:
        super().__init__(data, initial={"account": user.pk})
        self.user = user

    def clean_password(self) -> str:
        """Return the password. Raises `ValidationError` if it is not the account's."""
        password: str = self.cleaned_data["password"]
        if not self.user.check_password(password):
            raise forms.ValidationError(WRONG_PASSWORD)
        return password


class ForgottenForm(PasswordResetForm):
    """Asks for the address to which to send a link for a new password."""

    email = EmailField(label=_("Email"), widget=forms.EmailInput(attrs={"autocomplete": "email"}))


class MailForm(forms.Form):
    """Asks for the address to write to when it is somebody's turn."""

    email = EmailField(max_length=254)
    password = forms.CharField(max_length=4096, required=False, strip=False)
