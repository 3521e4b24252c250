"""Accounts: optional, and one page for everything that can be done with one."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from http.cookies import CookieError

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import get_user, login, logout
from django.contrib.auth.models import User
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from game import history
from game.forms.account import SignInForm, SignUpForm
from game.forms.commands import whole
from game.identity import ACTS_AS, Browser, PageRequest, new_token
from game.models import Game
from game.services import accounts
from game.views.responses import see_other


def form_page(request: HttpRequest, form: BaseForm, **words: object) -> HttpResponse:
    """A form with its error summary; each field says what is wrong with it, and what would be accepted."""
    problems = problems_of(form)
    status = 422 if problems else 200
    return render(request, "game/account/form.html", {"form": form, "problems": problems, **words}, status=status)


def problems_of(form: BaseForm) -> list[tuple[str, str]]:
    """(id of the field, sentence); what is wrong with the whole form leads to its first field."""
    first = next(iter(form)).id_for_label
    return [
        (form[name].id_for_label if name in form.fields else first, why)
        for name, whys in form.errors.items()
        for why in whys
    ]


@require_http_methods(["GET", "HEAD", "POST"])
def sign_up(request: PageRequest) -> HttpResponse:
    form = SignUpForm(request.POST or None)
    if request.method == "POST" and (user := form.account()):
        return signed_in(request, user)
    return form_page(
        request,
        form,
        title=_("Sign up"),
        intro=_(
            "An account carries your seats and your history from one device to another. You can play without. "
            "We keep the name, the password as a one-way hash, and the games you played."
        ),
        button=_("Sign up"),
        other=(reverse("game:sign-in"), _("I have an account: sign in")),
    )


@require_http_methods(["GET", "HEAD", "POST"])
def sign_in(request: PageRequest) -> HttpResponse:
    form = SignInForm(request, request.POST or None)
    if request.method == "POST" and form.is_valid():
        return signed_in(request, form.get_user())
    return form_page(
        request,
        form,
        title=_("Sign in"),
        button=_("Sign in"),
        other=(reverse("game:sign-up"), _("I have no account: sign up")),
        forgotten=bool(settings.EMAIL_HOST),
    )


def signed_in(request: PageRequest, user: User) -> HttpResponse:
    """Session key and cookie change with it. Seats that this browser holds stay its own until somebody says so."""
    login(request, user)
    request.browser = accounts.renew(request.browser, user)
    if not accounts.games_at(request.browser.own()):
        request.session[ACTS_AS] = accounts.visitor_of(user).pk
    return see_other(request, reverse("game:account"))


@require_safe
def account(request: PageRequest) -> HttpResponse:
    if not request.user.is_authenticated:
        return redirect("game:sign-in")
    asks = ACTS_AS not in request.session
    own = request.browser.own()
    context = {"games_here": accounts.games_at(own) if asks else 0, "asks": asks}
    return render(request, "game/account/account.html", context)


@require_POST
def adopt(request: PageRequest) -> HttpResponse:
    """What becomes of the seats that this browser held before: into the account, or left where they are."""
    user = get_user(request)
    if not isinstance(user, User):
        return redirect("game:sign-in")
    request.session[ACTS_AS] = accounts.visitor_of(user).pk
    if request.POST.get("do") == "take":
        take_along(request, user)
        messages.success(request, _("The games of this browser are in your account now."))
    else:
        messages.info(request, _("The games of this browser stay with it, and are here again once you signed out."))
    return see_other(request, reverse("game:account"))


def take_along(request: PageRequest, user: User) -> None:
    """Its open pages are told game by game, and ask again as who they are by then: so that is written first."""
    own = request.browser.own()
    request.session.save()
    try:
        if own:
            accounts.adopt(user, own)
    except Exception:  # what is left over is asked about again
        del request.session[ACTS_AS]
        request.session.save()
        raise


@require_POST
def sign_out(request: PageRequest) -> HttpResponse:
    """On a shared computer the cookies go, too: the next person finds nothing of this one."""
    logout(request)
    response = see_other(request, reverse("game:home"))
    request.browser = Browser(request.browser.token, request.browser.known)
    if "forget" in request.POST:
        forget(request, response)
    return response


def forget(request: PageRequest, response: HttpResponse) -> None:
    request.browser = Browser(new_token(), known=False)
    for cookie in request.COOKIES.keys() - {settings.CSRF_COOKIE_NAME}:
        with suppress(CookieError):  # what shares this host with us has names that no answer can say
            response.delete_cookie(cookie)


@require_safe
def data(request: PageRequest) -> HttpResponse:
    """Everything that is kept about this account, as one JSON file: game by game, so that it may be long."""
    user = get_user(request)
    if not isinstance(user, User):
        return redirect("game:sign-in")
    response = StreamingHttpResponse(told(user), content_type="application/json; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="ten-thousand-account.json"'
    return response


def told(user: User) -> Iterator[str]:
    about = {"name": user.username, "email": user.email, "since": user.date_joined.isoformat()}
    yield f'{{"account": {json.dumps(about)}, "written": "{timezone.now().isoformat()}", "games": ['
    games = Game.objects.filter(players__visitor__user=user).exclude(status=Game.Status.WAITING).distinct()
    for n, game in enumerate(games.order_by("pk").iterator(chunk_size=100)):
        yield ("," if n else "") + "\n" + json.dumps(history.game_file(game), ensure_ascii=False)
    yield "\n]}\n"


@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: PageRequest) -> HttpResponse:
    user = get_user(request)
    if not isinstance(user, User) and not pressed_before(request):
        return redirect("game:sign-in")
    if request.method != "POST":
        return render(request, "game/account/delete.html")
    logout(request)
    if isinstance(user, User):
        accounts.delete(user)
    messages.success(request, _("Your account is deleted."))
    response = see_other(request, reverse("game:home"))
    forget(request, response)
    return response


def pressed_before(request: PageRequest) -> bool:
    """Whether the account that this form was made for is gone: browsers drop the answer to the first of two presses."""
    account = whole(request.POST.get("account", ""))
    return account is not None and not User.objects.filter(pk=account).exists()
