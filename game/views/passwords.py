"""New passwords: changed while signed in, or chosen by a link in an email."""

from typing import Any, ClassVar

from django.contrib.auth import views as auth
from django.contrib.messages.views import SuccessMessageMixin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse_lazy
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe
from django.views.generic import FormView

from game.forms.account import ForgottenForm
from game.identity import PageRequest
from game.services import calls
from game.views.account import list_problems


class AccountPage(FormView):  # type: ignore[type-arg]
    """Django's pages for passwords, drawn as the other account pages are."""

    template_name = "game/account/form.html"
    words: ClassVar[dict[str, object]] = {}

    def get_context_data(self, **context: Any) -> dict[str, Any]:
        """Add our words and the error summary. An expired link has no form."""
        form = context.get("form") or (self.get_form() if getattr(self, "validlink", True) else None)
        problems = list_problems(form) if form else []
        return super().get_context_data(**context, **self.words, problems=problems)

    def render_to_response(self, context: dict[str, Any], **more: Any) -> HttpResponse:
        """Respond with 422 if the form is invalid."""
        return super().render_to_response(context, status=422 if context["problems"] else 200, **more)


class ChangePassword(SuccessMessageMixin, AccountPage, auth.PasswordChangeView):  # type: ignore[type-arg]
    request: PageRequest
    success_url = reverse_lazy("game:account")
    success_message = gettext_lazy("Your password is changed.")
    words: ClassVar[dict[str, object]] = {
        "title": gettext_lazy("Change password"),
        "button": gettext_lazy("Change password"),
    }

    def form_valid(self, form: Any) -> HttpResponse:
        calls.forget_browsers_of(self.request.user.pk, but=self.request.browser)
        return super().form_valid(form)


class ForgottenPassword(AccountPage, auth.PasswordResetView):
    """Says the same whether there is such an account or not."""

    form_class = ForgottenForm
    email_template_name = "mail/new_password.txt"
    subject_template_name = "mail/new_password_subject.txt"
    success_url = reverse_lazy("game:mail-sent")
    words: ClassVar[dict[str, object]] = {
        "title": gettext_lazy("I forgot my password"),
        "intro": gettext_lazy("If the account has an email address, we’ll send it a link to choose a new password."),
        "button": gettext_lazy("Send the link"),
    }


class NewPassword(SuccessMessageMixin, AccountPage, auth.PasswordResetConfirmView):  # type: ignore[type-arg]
    success_url = reverse_lazy("game:sign-in")
    success_message = gettext_lazy("Your password is changed. Sign in with it.")
    words: ClassVar[dict[str, object]] = {
        "title": gettext_lazy("Choose a new password"),
        "button": gettext_lazy("Change password"),
    }

    def form_valid(self, form: Any) -> HttpResponse:
        calls.forget_browsers_of(form.user.pk, but=None)
        return super().form_valid(form)

    def render_to_response(self, context: dict[str, Any], **more: Any) -> HttpResponse:
        if not self.validlink:
            return render(self.request, "game/account/ended.html", status=410)
        return super().render_to_response(context, **more)


@require_safe
def mail_sent(request: HttpRequest) -> HttpResponse:
    return render(request, "game/account/sent.html")
