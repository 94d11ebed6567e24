# The single binary with the libraries that it needs, in an otherwise empty image, as a user without rights.
#   docker build -t touchstone .
#   docker run -p 4318:4318 -p 4317:4317 -v touchstone:/data touchstone
FROM node:26-bookworm-slim AS build
# Node 26 needs libatomic, which minimal images lack.
RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends libatomic1
WORKDIR /build
COPY package.json package-lock.json ./
COPY exporters exporters
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN node scripts/binary.mjs && node scripts/image-root.mjs /image

FROM scratch
COPY --from=build /image /
# A new volume gets the owner and mode of this folder.
COPY --from=build --chown=65532:65532 /image/data /data
COPY --from=build --chmod=1777 /image/tmp /tmp
ENV TOUCHSTONE_DATA_DIR=/data TOUCHSTONE_HOST=0.0.0.0
VOLUME /data
EXPOSE 4318 4317
USER 65532:65532
ENTRYPOINT ["/usr/local/bin/touchstone"]
CMD ["serve"]
