"""Rows that no page names."""

from django.db import models


class UnnamedRow(models.Model):
    """A row that is known by its kind and its key: in the admin's lists of what is deleted, and in logs."""

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.pk}"
