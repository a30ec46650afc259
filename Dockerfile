# Almanac in a container, with what PostgreSQL and models need: `docker build -t almanac .`; see docs/scale.md.
FROM python:3.13-slim AS packages
WORKDIR /source
COPY requirements-container.txt .
RUN python -m venv /opt/almanac && /opt/almanac/bin/python -m pip install --no-cache-dir --disable-pip-version-check \
    --only-binary :all: --require-hashes -r requirements-container.txt
COPY pyproject.toml README.md LICENSE ./
COPY bot bot
COPY storage storage
COPY templates templates
RUN /opt/almanac/bin/python -m pip install --no-cache-dir --disable-pip-version-check --no-deps --no-build-isolation .

FROM python:3.13-slim
# git reads the histories; keys of ssh and certificates reach them.
RUN apt-get update && apt-get install --yes --no-install-recommends ca-certificates git openssh-client \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --uid 10001 --home-dir /var/lib/almanac --create-home almanac && mkdir /etc/almanac
COPY --from=packages /opt/almanac /opt/almanac
ENV PATH=/opt/almanac/bin:$PATH ALMANAC_HOME=/var/lib/almanac
# almanac.toml and .env are read from here; mirrors, and a database of SQLite, are kept in the home.
WORKDIR /etc/almanac
VOLUME /var/lib/almanac
USER almanac
EXPOSE 3000
ENTRYPOINT ["almanac"]
CMD ["serve"]
