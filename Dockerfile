# A static binary with the time zones inside, run by nobody in particular.
FROM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 go build -trimpath -ldflags '-s -w' -o /assay ./cmd/assay && mkdir /data

FROM scratch
COPY --from=build /assay /assay
COPY --from=build --chown=65532:65532 /data /data
USER 65532:65532
ENV ASSAY_DIR=/data
VOLUME /data
EXPOSE 8080
ENTRYPOINT ["/assay"]
CMD ["serve", "--addr", "0.0.0.0:8080"]
