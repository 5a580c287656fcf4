# A static binary with the time zones inside and nothing beside it but the usual authorities, run by nobody in particular.
FROM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN --mount=type=cache,target=/go/pkg/mod go mod download
COPY . .
RUN --mount=type=cache,target=/go/pkg/mod --mount=type=cache,target=/root/.cache/go-build \
    CGO_ENABLED=0 go build -trimpath -ldflags '-s -w' -o /assay ./cmd/assay
# a new volume takes its owner from the directory that it is mounted over
RUN mkdir -p /image/data /image/identity/authority /image/identity/servers \
    /image/identity/registry /image/identity/worker /image/identity/reader

FROM scratch
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build /assay /assay
COPY --from=build --chown=65532:65532 /image/ /
USER 65532:65532
ENV ASSAY_DIR=/data
VOLUME /data
EXPOSE 8080
ENTRYPOINT ["/assay"]
CMD ["serve", "--addr", "0.0.0.0:8080"]
