"""The count of right answers on the practice page: a signed cookie that lasts until the browser is closed."""

from dataclasses import astuple, dataclass, replace
from hashlib import sha256
from typing import Self

from django.http import HttpRequest, HttpResponse

from game.cookies import PRACTICE_COOKIE, set_cookie

SALT = "practice"


@dataclass(frozen=True)
class AnswerCount:
    """The answers given. `last`: the position answered last, which counts only once."""

    right: int = 0
    total: int = 0
    streak: int = 0
    last: str = ""

    @classmethod
    def of(cls, request: HttpRequest) -> Self:
        """Return the count in the request's cookie; 0 of everything if it is missing or broken."""
        cookie = str(request.get_signed_cookie(PRACTICE_COOKIE, "", SALT))
        right, total, streak, last, *rest = [*cookie.split("."), "", "", ""]
        if not (right.isdigit() and total.isdigit() and streak.isdigit()) or not rest:
            return cls()
        return cls(int(right), int(total), int(streak), last)

    def after(self, address: str, right: bool) -> Self:
        """Return the count with one more answer; unchanged if the position at `address` was the last one answered."""
        name = sha256(address.encode()).hexdigest()[:16]
        if name == self.last:
            return self
        return replace(
            self, right=self.right + right, total=self.total + 1, streak=self.streak + 1 if right else 0, last=name
        )

    def save(self, response: HttpResponse) -> None:
        """Set the cookie, which lasts as long as the browser is open."""
        set_cookie(response, PRACTICE_COOKIE, ".".join(map(str, astuple(self))), salt=SALT)
