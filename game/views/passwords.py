"""Another password: changed by who is signed in, or chosen anew by a link in a mail."""

from __future__ import annotations

from django.contrib.auth import views as auth
from django.contrib.messages.views import SuccessMessageMixin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse_lazy
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from game.forms.account import ForgottenForm
from game.views.account import problems_of


class OurForm:
    """Django's pages for passwords, drawn as the other account pages are."""

    template_name = "game/account/form.html"
    words: dict[str, object] = {}

    def get_context_data(self, **context: object) -> dict[str, object]:
        form = context.get("form") or (self.get_form() if getattr(self, "validlink", True) else None)
        problems = problems_of(form) if form else []
        return super().get_context_data(**context, **self.words, problems=problems)

    def render_to_response(self, context: dict[str, object], **more: object) -> HttpResponse:
        return super().render_to_response(context, status=422 if context["problems"] else 200, **more)


class Password(SuccessMessageMixin, OurForm, auth.PasswordChangeView):
    success_url = reverse_lazy("game:account")
    success_message = gettext_lazy("Your password is changed.")
    words = {"title": gettext_lazy("Change password"), "button": gettext_lazy("Change password")}


class Forgotten(OurForm, auth.PasswordResetView):
    """Says the same whether or not there is such an account."""

    form_class = ForgottenForm
    email_template_name = "game/account/mail.txt"
    subject_template_name = "game/account/mail_subject.txt"
    success_url = reverse_lazy("game:mail-sent")
    words = {
        "title": gettext_lazy("I forgot my password"),
        "intro": gettext_lazy("Where the account has an e-mail address, a link to choose a new password goes there."),
        "button": gettext_lazy("Send the link"),
    }


class NewPassword(SuccessMessageMixin, OurForm, auth.PasswordResetConfirmView):
    success_url = reverse_lazy("game:sign-in")
    success_message = gettext_lazy("Your password is changed. Sign in with it.")
    words = {"title": gettext_lazy("Choose a new password"), "button": gettext_lazy("Change password")}

    def render_to_response(self, context: dict[str, object], **more: object) -> HttpResponse:
        if not self.validlink:
            return render(self.request, "game/account/ended.html", status=410)
        return super().render_to_response(context, **more)


@require_safe
def mail_sent(request: HttpRequest) -> HttpResponse:
    return render(request, "game/account/sent.html")
