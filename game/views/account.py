"""Accounts: optional, with one page for everything that can be done with one."""

from contextlib import suppress
from http.cookies import CookieError

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import get_user, login, logout
from django.contrib.auth.models import User
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from game.cookies import YEAR, set_cookie
from game.forms.account import SignInForm, SignUpForm
from game.forms.commands import read_number
from game.history.archive import write_account
from game.identity import ACTS_AS, Browser, PageRequest, new_token
from game.services import accounts, calls
from game.services.crews import belongs_to_crew
from game.views.responses import attach, see_other


def render_form(request: HttpRequest, form: BaseForm, **words: object) -> HttpResponse:
    """Render a form with its error summary; each field says what is wrong and what would be accepted."""
    problems = list_problems(form)
    status = 422 if problems else 200
    return render(request, "game/account/form.html", {"form": form, "problems": problems, **words}, status=status)


def list_problems(form: BaseForm) -> list[tuple[str, str]]:
    """Return (id of the field, sentence); errors of the whole form point to its first field."""
    first = next(iter(form)).id_for_label
    return [
        (form[name].id_for_label if name in form.fields else first, str(error))
        for name, errors in form.errors.items()
        for error in errors
    ]


@require_http_methods(["GET", "HEAD", "POST"])
def sign_up(request: PageRequest) -> HttpResponse:
    """Create an account and sign in."""
    form = SignUpForm(request.POST or None)
    if request.method == "POST" and (user := form.create_account()):
        return finish_sign_in(request, user)
    return render_form(
        request,
        form,
        title=_("Sign up"),
        intro=_(
            "An account takes your seats and your history from one device to another. You don’t need one to play. "
            "We store your name, a hashed password and your games."
        ),
        button=_("Sign up"),
        other=(reverse("game:sign-in"), _("Already have an account? Sign in")),
    )


@require_http_methods(["GET", "HEAD", "POST"])
def sign_in(request: PageRequest) -> HttpResponse:
    """Sign in."""
    form = SignInForm(request, request.POST or None)
    if request.method == "POST" and form.is_valid():
        return finish_sign_in(request, form.get_user())
    return render_form(
        request,
        form,
        title=_("Sign in"),
        button=_("Sign in"),
        other=(reverse("game:sign-up"), _("New here? Create an account")),
        forgotten=bool(settings.EMAIL_HOST),
    )


def finish_sign_in(request: PageRequest, user: User) -> HttpResponse:
    """Sign in with a new session key and cookie. Seats this browser holds stay its own until the player decides."""
    login(request, user)
    request.browser = accounts.renew_cookie(request.browser, user)
    own, account = request.browser.own(), accounts.visitor_of(user)
    if not accounts.count_games(own) and not belongs_to_crew(own):
        request.session[ACTS_AS] = account.pk
    response = see_other(request, reverse("game:account"))
    if account.language and settings.LANGUAGE_COOKIE_NAME not in request.COOKIES:
        set_cookie(response, settings.LANGUAGE_COOKIE_NAME, account.language, lasts=YEAR)
    return response


@require_safe
def account(request: PageRequest) -> HttpResponse:
    """Show the account, and ask what becomes of the games this browser held before."""
    if not request.user.is_authenticated:
        return redirect("game:sign-in")
    asks = ACTS_AS not in request.session
    own, user = request.browser.own(), get_user(request)
    context = {
        "mails": accounts.is_called_by_mail(user) if settings.EMAIL_HOST and isinstance(user, User) else None,
        "games_here": accounts.count_games(own) if asks else 0,
        "crews_here": asks and belongs_to_crew(own),
        "asks": asks,
    }
    return render(request, "game/account/account.html", context)


@require_POST
def adopt(request: PageRequest) -> HttpResponse:
    """Take the seats this browser held before into the account, or leave them where they are."""
    user = get_user(request)
    if not isinstance(user, User):
        return redirect("game:sign-in")
    request.session[ACTS_AS] = accounts.visitor_of(user).pk
    if request.POST.get("do") == "take":
        adopt_games(request, user)
        messages.success(request, _("The games on this browser are in your account now."))
    else:
        messages.info(request, _("This browser keeps its own games; you will see them again after signing out."))
    return see_other(request, reverse("game:account"))


def adopt_games(request: PageRequest, user: User) -> None:
    """Move the seats of this browser to the account.

    The session is saved first: open pages are notified game by game, and must ask again as the account.
    """
    own = request.browser.own()
    request.session.save()
    try:
        if own:
            accounts.adopt_seats(user, own)
    except Exception:  # the page asks again about the rest
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
    """Send everything that is kept about this account as one JSON file, streamed since it may be long."""
    user = get_user(request)
    if not isinstance(user, User):
        return redirect("game:sign-in")
    return attach(write_account(user), "ten-thousand-account.json")


@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: PageRequest) -> HttpResponse:
    """Ask, then delete the account and forget the browser."""
    user = get_user(request)
    if not isinstance(user, User) and not is_deleted_already(request):
        return redirect("game:sign-in")
    if request.method != "POST":
        return render(request, "game/account/delete.html")
    calls.forget_browser(request.browser)
    logout(request)
    if isinstance(user, User):
        accounts.delete_account(user)
    messages.success(request, _("Your account is deleted."))
    response = see_other(request, reverse("game:home"))
    forget_browser(request, response)
    return response


def is_deleted_already(request: PageRequest) -> bool:
    """Tell whether the form's account is already gone: browsers drop the response to the first of two presses."""
    account = read_number(request.POST.get("account", ""))
    return account is not None and not User.objects.filter(pk=account).exists()
