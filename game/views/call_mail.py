"""Calls by mail: requested on the account's page, confirmed by a link in a mail, ended by a link in every mail."""

from smtplib import SMTPException

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import get_user
from django.contrib.auth.models import User
from django.core.mail import send_mail
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST

from game.calling.mail import MailOffer, describe_standing, read_token, sign_offer
from game.forms.account import MailForm
from game.identity import PageRequest
from game.services import accounts
from game.views.calls import read_wishes
from game.views.responses import see_other


@require_POST
def ask(request: PageRequest) -> HttpResponse:
    """Send a confirmation link to the address, or stop calls by mail."""
    user = get_user(request)
    if not isinstance(user, User):
        return redirect("game:sign-in")
    if not settings.EMAIL_HOST:
        raise Http404
    form = MailForm(request.POST)
    if request.POST.get("do") == "stop":
        accounts.stop_mail(user.pk)
        messages.success(request, _("You’ll get no more mail when it’s your turn."))
    elif not form.is_valid():
        messages.error(request, _("Enter an email address, as in ana@example.org."))
    elif form.cleaned_data["email"] != user.email and not user.check_password(form.cleaned_data["password"]):
        # Password resets go there, too: somebody who finds an open page must not take over the account.
        messages.error(request, _("Wrong name or password. Capital letters matter in both."))
    else:
        try:
            send_link(request, user, form.cleaned_data["email"])
            messages.success(request, _("We’ve sent you a mail. Open the link in it, and press the button."))
        except (SMTPException, OSError):
            messages.error(request, _("The mail could not be sent. Try again later."))
    return see_other(request, reverse("game:account") + "#mail")


def send_link(request: PageRequest, user: User, address: str) -> None:
    """Ask the owner of this address."""
    token = sign_offer(MailOffer(user.pk, address, read_wishes(request), describe_standing(user)))
    link = request.build_absolute_uri(reverse("game:mail-link", args=[token]))
    paragraphs = (
        _("%(name)s asked 10,000 to write to this address when it’s their turn. If that’s you, open this link:")
        % {"name": user.username},
        link,
        _("If it wasn’t you, ignore this mail: you’ll get no other."),
    )
    send_mail(_("Calls to your turn in 10,000"), "\n\n".join(paragraphs) + "\n", None, [address])


@csrf_exempt  # mail programs post here by themselves, and anybody with the link may
@require_http_methods(["GET", "HEAD", "POST"])
def link(request: PageRequest, token: str) -> HttpResponse:
    """Confirm that mail is to be sent or stopped, as the link says, and do it."""
    offer = read_token(token)
    account = offer.account if isinstance(offer, MailOffer) else offer
    user = User.objects.filter(pk=account).first() if account else None
    is_old = isinstance(offer, MailOffer) and user is not None and offer.standing != describe_standing(user)
    if user is None or is_old:
        return render(request, "game/account/mail_ended.html", status=410)
    if request.method == "POST":
        if isinstance(offer, MailOffer):
            accounts.call_by_mail(user, offer.address, offer.wishes)
        else:
            accounts.stop_mail(user.pk)
    context = {"account": user.username, "starts": isinstance(offer, MailOffer), "done": request.method == "POST"}
    return render(request, "game/account/mail_link.html", context)
