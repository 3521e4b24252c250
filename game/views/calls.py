"""Calls: in a browser, even with the page closed; and by mail, which one link in a mail confirms and another ends."""

from smtplib import SMTPException

from django.contrib import messages
from django.contrib.auth import get_user
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST

from game.addresses import is_only_here
from game.calling.mail import MailOffer, fingerprint_account, read_token, send_offer, sign_offer
from game.calling.push_key import read_key_pair
from game.forms.account import WRONG_PASSWORD, MailForm
from game.forms.calls import read_push_keys, read_wishes
from game.identity import PageRequest
from game.services import accounts, calls
from game.views.account import show_account
from game.views.responses import REFUSED, refuse_in_words, require_mail_server, see_other


@require_http_methods(["GET", "HEAD", "POST"])
def call(request: PageRequest, code: str) -> HttpResponse:
    """Say whether this browser is called for its seats in the game, and with which key; a POST changes that."""
    try:
        if request.method == "POST":
            return change_call(request, code)
        called = calls.is_called(request.browser, code)
    except REFUSED as error:
        return refuse_in_words(request, error)
    _private, public = read_key_pair()
    return JsonResponse({"called": called, "key": public})


def change_call(request: PageRequest, code: str) -> HttpResponse:
    """Turn calls to this browser on or off. Raises one of `REFUSED`."""
    if request.POST.get("do") != "call":
        calls.stop_calling(request.browser, code)
    elif is_private_line(request):
        calls.call_seats(request.browser, code, read_push_keys(request.POST), read_wishes(request))
    else:
        raise calls.CannotCall
    return HttpResponse(status=204)


def is_private_line(request: HttpRequest) -> bool:
    """Return whether browsers allow calls over this connection: by https, or to the machine itself."""
    return request.is_secure() or is_only_here(f"//{request.get_host()}")


@require_POST
def ask(request: PageRequest) -> HttpResponse:
    """Send a confirmation link to the address, or stop calls by mail."""
    user = get_user(request)
    if not isinstance(user, User):
        return redirect("game:sign-in")
    require_mail_server()
    form = MailForm(request.POST)
    if request.POST.get("do") == "stop":
        accounts.stop_mail(user.pk)
        messages.success(request, _("You’ll get no more emails when it’s your turn."))
    elif not form.is_valid():
        return refuse_mail(request, "address", _("Enter an email address, as in ana@example.org."))
    elif form.cleaned_data["email"] != user.email and not user.check_password(form.cleaned_data["password"]):
        # Links for new passwords go to this address, too: whoever finds an open page must not take the account so.
        return refuse_mail(request, "password", str(WRONG_PASSWORD))
    else:
        try:
            offer = MailOffer(user.pk, form.cleaned_data["email"], read_wishes(request), fingerprint_account(user))
            link = reverse("game:mail-link", args=[sign_offer(offer)])
            send_offer(user, offer.address, request.build_absolute_uri(link))
            messages.success(request, _("We’ve sent you an email. Open the link in it, and press the button."))
        except (SMTPException, OSError):
            return refuse_mail(request, "address", _("The email could not be sent. Try again later."), status=503)
    return see_other(request, reverse("game:account"))


def refuse_mail(request: PageRequest, field: str, why: str, *, status: int = 422) -> HttpResponse:
    """Return the page of the account with what was typed, and the reason at the field."""
    return show_account(request, (f"mail-{field}", why), request.POST.get("email", "")[:254], status=status)


@csrf_exempt  # mail programs post here by themselves, and anybody with the link may do so
@require_http_methods(["GET", "HEAD", "POST"])
def link(request: PageRequest, token: str) -> HttpResponse:
    """Ask whether mail is to be sent or stopped, as the link says; a POST does it."""
    offer = read_token(token)
    account = offer.account if isinstance(offer, MailOffer) else offer
    user = User.objects.filter(pk=account).first() if account else None
    if user is None or (isinstance(offer, MailOffer) and is_outdated(offer, user)):
        return render(request, "game/account/mail_ended.html", status=410)
    if request.method == "POST":
        if not isinstance(offer, MailOffer):
            accounts.stop_mail(user.pk)
        elif not is_accepted(offer, user):
            accounts.call_by_mail(user, offer.address, offer.wishes)
    context = {"account": user.username, "starts": isinstance(offer, MailOffer), "done": request.method == "POST"}
    return render(request, "game/account/mail_link.html", context)


def is_outdated(offer: MailOffer, user: User) -> bool:
    """Return whether the account has changed since the link was sent, by more than a first press on its button."""
    return offer.standing != fingerprint_account(user) and not is_accepted(offer, user)


def is_accepted(offer: MailOffer, user: User) -> bool:
    """Return whether mail goes to the address already, by wishes that may be newer than those of the offer."""
    return user.email == offer.address and accounts.is_called_by_mail(user)
