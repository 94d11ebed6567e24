# The single binary on an image without shell and package manager, as a user without rights.
#   docker build -t touchstone .
#   docker run -p 4318:4318 -p 4317:4317 -v touchstone:/data touchstone
FROM node:26-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
COPY exporters exporters
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN node scripts/binary.mjs && mkdir -m 0700 /empty

FROM gcr.io/distroless/cc-debian12:nonroot
COPY --from=build /build/dist/touchstone /usr/local/bin/touchstone
# A new volume gets the owner and mode of this folder.
COPY --from=build --chown=nonroot:nonroot /empty /data
ENV TOUCHSTONE_DATA_DIR=/data TOUCHSTONE_HOST=0.0.0.0
VOLUME /data
EXPOSE 4318 4317
USER nonroot
ENTRYPOINT ["/usr/local/bin/touchstone"]
CMD ["serve"]
