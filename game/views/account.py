"""Accounts, which are optional, with one page for all that can be done with one; and new passwords, also by mail."""

from contextlib import suppress
from http.cookies import CookieError
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import get_user, login, logout
from django.contrib.auth import views as auth
from django.contrib.auth.models import User
from django.contrib.messages.views import SuccessMessageMixin
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse, reverse_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django.views.generic import FormView

from game.cookies import YEAR, set_cookie
from game.forms.account import ChangePasswordForm, DeleteForm, ForgottenForm, NewPasswordForm, SignInForm, SignUpForm
from game.forms.commands import read_number
from game.forms.fields import list_problems
from game.history.archive import write_account
from game.identity import ACTS_AS, Browser, PageRequest, new_token
from game.services import accounts, calls
from game.views.responses import attach, require_mail_server, see_other


def render_form(request: HttpRequest, page: str, form: BaseForm) -> HttpResponse:
    """Render a form with its error summary; each field says what is wrong and what would be accepted."""
    problems = list_problems(form)
    context = {"form": form, "problems": problems, "sends_mail": bool(settings.EMAIL_HOST)}
    return render(request, f"game/account/{page}.html", context, status=422 if problems else 200)


@require_http_methods(["GET", "HEAD", "POST"])
def sign_up(request: PageRequest) -> HttpResponse:
    """Create an account and sign in."""
    form = SignUpForm(request.POST or None)
    if request.method == "POST" and (user := form.create_account()):
        return finish_sign_in(request, user)
    return render_form(request, "sign_up", form)


@require_http_methods(["GET", "HEAD", "POST"])
def sign_in(request: PageRequest) -> HttpResponse:
    """Sign in."""
    form = SignInForm(request, request.POST or None)
    if request.method == "POST" and form.is_valid():
        return finish_sign_in(request, form.get_user())
    return render_form(request, "sign_in", form)


def finish_sign_in(request: PageRequest, user: User) -> HttpResponse:
    """Sign in with a new session key and cookie. Seats held by this browser stay its own until the player decides."""
    login(request, user)
    request.browser = accounts.renew_cookie(request.browser, user)
    own, account = request.browser.own(), accounts.find_or_make_visitor(user)
    if not accounts.count_games(own) and not accounts.has_crews_or_rules(own):
        request.session[ACTS_AS] = account.pk
    response = see_other(request, reverse("game:account"))
    if account.language and settings.LANGUAGE_COOKIE_NAME not in request.COOKIES:
        set_cookie(response, settings.LANGUAGE_COOKIE_NAME, account.language, lasts=YEAR)
    return response


def show_account(
    request: PageRequest, problem: tuple[str, str] | None = None, typed: str = "", *, status: int = 200
) -> HttpResponse:
    """Show the account, and ask what is to become of the games and crews that this browser had before.

    `problem`: (id of the field, why calls by mail were refused); `typed`: the address that was typed.
    """
    if not request.user.is_authenticated:
        return redirect("game:sign-in")
    own, user = request.browser.own(), get_user(request)
    assert isinstance(user, User)
    undecided = ACTS_AS not in request.session
    games_here = accounts.count_games(own) if undecided else 0
    more_here = undecided and accounts.has_crews_or_rules(own)
    asks = bool(games_here or more_here)
    if undecided and not asks and (account := accounts.find_visitor_of(user)):  # nothing is left here to ask about
        request.session[ACTS_AS] = account.pk
    context = {
        "mails": accounts.is_called_by_mail(user) if settings.EMAIL_HOST else None,
        "games_here": games_here,
        "more_here": more_here,
        "asks": asks,
        "problems": [problem] if problem else [],
        "email": typed if problem else user.email,
    }
    return render(request, "game/account/account.html", context, status=status)


account = require_safe(show_account)


@require_POST
def adopt(request: PageRequest) -> HttpResponse:
    """Move the seats that this browser held before into the account, or leave them where they are."""
    user = get_user(request)
    if not isinstance(user, User):
        return redirect("game:sign-in")
    request.session[ACTS_AS] = accounts.find_or_make_visitor(user).pk
    if request.POST.get("do") == "take":
        adopt_games(request, user)
        messages.success(request, _("The games on this browser are in your account now."))
    else:
        messages.info(request, _("This browser keeps its own games; you will see them again after signing out."))
    return see_other(request, reverse("game:account"))


def adopt_games(request: PageRequest, user: User) -> None:
    """Move the seats of this browser to the account.

    The session is saved first, because open pages are notified game by game, and must then ask as the account.
    """
    own = request.browser.own()
    request.session.save()
    try:
        if own:
            accounts.give_all(own, accounts.find_or_make_visitor(user))
    except Exception:  # so that the page asks again about the rest
        del request.session[ACTS_AS]
        request.session.save()
        raise


@require_POST
def sign_out(request: PageRequest) -> HttpResponse:
    """Sign out; on a shared computer also forget the browser, so that the next person finds nothing."""
    calls.forget_browser(request.browser)
    logout(request)
    response = see_other(request, reverse("game:home"))
    request.browser = Browser(request.browser.token, request.browser.known)
    if "forget" in request.POST:
        forget_browser(request, response)
    return response


def forget_browser(request: PageRequest, response: HttpResponse) -> None:
    """Delete every cookie except the CSRF one."""
    request.browser = Browser(new_token(), known=False)
    for cookie in request.COOKIES.keys() - {settings.CSRF_COOKIE_NAME}:
        with suppress(CookieError):  # other software on this host may use names that we cannot send back
            response.delete_cookie(cookie)


@require_safe
def data(request: PageRequest) -> HttpResponseBase:
    """Send everything that is stored about this account as one JSON file, streamed since it may be long."""
    user = get_user(request)
    if not isinstance(user, User):
        return redirect("game:sign-in")
    return attach(write_account(user), "ten-thousand-account.json")


@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: PageRequest) -> HttpResponse:
    """Ask for the password, then delete the account and forget the browser."""
    user = get_user(request)
    if isinstance(user, User):
        form = DeleteForm(user, request.POST or None)
        if not form.is_valid():
            return render_form(request, "delete", form)
    elif not accounts.is_deleted(read_number(request.POST.get("account", ""))):  # a double press: see `DeleteForm`
        return redirect("game:sign-in")
    calls.forget_browser(request.browser)
    logout(request)
    if isinstance(user, User):
        accounts.delete_account(user)
    messages.success(request, _("Your account has been deleted."))
    response = see_other(request, reverse("game:home"))
    forget_browser(request, response)
    return response


# In the session of a browser that has chosen a new password by a link: the account whose link that was.
USED_LINK_OF = "used-link"


class AccountPage(FormView):  # type: ignore[type-arg]
    """Django's pages for passwords, with the look of the other account pages."""

    def get_context_data(self, **context: Any) -> dict[str, Any]:
        """Add the error summary. An expired link has no form."""
        form = context.get("form") or (self.get_form() if getattr(self, "validlink", True) else None)
        return super().get_context_data(**context, problems=list_problems(form) if form else [])

    def render_to_response(self, context: dict[str, Any], **more: Any) -> HttpResponse:
        """Respond with 422 if the form is invalid."""
        return super().render_to_response(context, status=422 if context["problems"] else 200, **more)


class ChangePassword(SuccessMessageMixin, AccountPage, auth.PasswordChangeView):  # type: ignore[type-arg]
    request: PageRequest
    template_name = "game/account/change_password.html"
    form_class = ChangePasswordForm
    success_url = reverse_lazy("game:account")
    success_message = gettext_lazy("Your password has been changed.")

    def form_valid(self, form: Any) -> HttpResponse:
        calls.forget_browsers_of(self.request.user.pk, but=self.request.browser)
        return super().form_valid(form)


class ForgottenPassword(AccountPage, auth.PasswordResetView):
    """Asks for an email address; the answer is the same whether there is such an account or not."""

    template_name = "game/account/forgotten.html"
    form_class = ForgottenForm
    email_template_name = "mail/new_password.txt"
    subject_template_name = "mail/new_password_subject.txt"
    success_url = reverse_lazy("game:mail-sent")


@require_http_methods(["GET", "HEAD", "POST"])
def send_password_link(request: HttpRequest) -> HttpResponseBase:
    """Send somebody who forgot their password a link to choose a new one."""
    require_mail_server()
    return ForgottenPassword.as_view()(request)


@require_safe
def mail_sent(request: HttpRequest) -> HttpResponse:
    """Say that the link is on its way."""
    require_mail_server()
    return render(request, "game/account/sent.html")


class NewPassword(SuccessMessageMixin, AccountPage, auth.PasswordResetConfirmView):  # type: ignore[type-arg]
    template_name = "game/account/new_password.html"
    form_class = NewPasswordForm
    success_url = reverse_lazy("game:sign-in")
    success_message = gettext_lazy("Your password has been changed. Sign in with it.")

    def form_valid(self, form: Any) -> HttpResponse:
        calls.forget_browsers_of(form.user.pk, but=None)
        is_signed_in = self.request.user == form.user
        response = super().form_valid(form)
        if is_signed_in:
            # The next request would delete a session of the old password, and with it what a second press has to find.
            # The key of an empty one opens nothing, and signing in replaces it.
            self.request.session.clear()
        self.request.session[USED_LINK_OF] = form.user.pk
        return response

    def render_to_response(self, context: dict[str, Any], **more: Any) -> HttpResponse:
        if self.validlink:
            return super().render_to_response(context, **more)
        if self.request.method == "POST" and self.user and self.request.session.get(USED_LINK_OF) == self.user.pk:
            return redirect(self.success_url)  # a second press, after the first has used up the link
        context = {"sends_mail": bool(settings.EMAIL_HOST)}
        return render(self.request, "game/account/ended.html", context, status=410)
