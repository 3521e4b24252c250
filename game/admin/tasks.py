"""Background tasks in the admin: the page of the package that stores them, in the reader's language."""

from typing import Any

from django.apps import apps
from django.contrib import admin
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop, pgettext_lazy
from django_tasks_db.admin import DBTaskResultAdmin
from django_tasks_db.models import DBTaskResult

from game.admin.lists import SafeList

# What the package calls itself, its rows and their columns: it has no translations of its own.
apps.get_app_config("django_tasks_database").verbose_name = _("Background tasks")
LABELS = (
    gettext_noop("Task Result"),
    gettext_noop("Task Results"),
    gettext_noop("enqueued at"),
    gettext_noop("started at"),
    gettext_noop("finished at"),
    gettext_noop("priority"),
    gettext_noop("queue name"),
)
STATUSES = (
    pgettext_lazy("Task", "Ready"),
    pgettext_lazy("Task", "Running"),
    pgettext_lazy("Task", "Failed"),
    pgettext_lazy("Task", "Successful"),
)

admin.site.unregister(DBTaskResult)


@admin.register(DBTaskResult)
class TaskAdmin(SafeList, DBTaskResultAdmin):
    """The tasks of the last days. Nobody may change anything."""

    @admin.display(description=_("task name"))
    def task_name(self, task: DBTaskResult[Any, Any]) -> str:
        """Return the name of the function that the worker runs."""
        return str(task.task_name)
