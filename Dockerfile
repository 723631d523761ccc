# The program in a small Debian image: docker build -t picus . && docker run --rm picus --help
FROM debian:12 AS build
COPY . /picus
RUN cd /picus && ./dev package

FROM debian:12-slim
COPY --from=build /picus/build/release/packages/picus_*.deb /tmp/
RUN apt-get update && apt-get install -y --no-install-recommends /tmp/picus_*.deb \
    && rm -rf /var/lib/apt/lists/* /tmp/*.deb
WORKDIR /work
ENTRYPOINT ["picus"]
