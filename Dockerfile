# The site as an image: `manage.py serve` on port 8000. compose.yaml runs it with a worker and PostgreSQL.
# Python and Debian are those that the tests run on; Debian 12 has the pg_dump for PostgreSQL 15, which backups need.

FROM python:3.11-slim-bookworm AS packages
COPY config/requirements/run.txt /run.txt
RUN python -m venv /opt/venv \
    && /opt/venv/bin/pip install --no-cache-dir --only-binary :all: --require-hashes -r /run.txt

FROM python:3.11-slim-bookworm
RUN apt-get update \
    && apt-get install -y --no-install-recommends postgresql-client \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --uid 10001 --no-create-home --shell /usr/sbin/nologin dice \
    && install --directory --owner dice /data
COPY --from=packages /opt/venv /opt/venv
ENV PATH=/opt/venv/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 DATA_DIR=/data

WORKDIR /srv/dice
COPY manage.py LICENSE ./
COPY config config
COPY game game
COPY static static
COPY templates templates
RUN python -m game.catalogues && python -m compileall -q config game

USER dice
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
    CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8000/readyz', timeout=4)"]
CMD ["python", "manage.py", "serve", "--host", "0.0.0.0", "--port", "8000"]
