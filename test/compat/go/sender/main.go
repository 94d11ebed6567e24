// Sender sends spans with an exporter of OpenTelemetry for Go, set up by environment variables: sender PROTOCOL
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"strconv"
	"strings"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracegrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

func number(name string) int {
	value, err := strconv.Atoi(os.Getenv(name))
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func newExporter(ctx context.Context, protocol string) (*otlptrace.Exporter, error) {
	if protocol == "grpc" {
		return otlptracegrpc.New(ctx)
	}
	return otlptracehttp.New(ctx)
}

func main() {
	ctx := context.Background()
	exporter, err := newExporter(ctx, os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	provider := sdk.NewTracerProvider(sdk.WithBatcher(exporter,
		sdk.WithMaxExportBatchSize(number("BATCH")), sdk.WithBatchTimeout(100*time.Millisecond)))
	traceID, err := trace.TraceIDFromHex(os.Getenv("TRACE_ID"))
	if err != nil {
		log.Fatal(err)
	}
	parent := trace.NewSpanContext(trace.SpanContextConfig{
		TraceID: traceID, SpanID: trace.SpanID{0xaa}, TraceFlags: trace.FlagsSampled, Remote: true,
	})
	ctx = trace.ContextWithRemoteSpanContext(ctx, parent)
	content := attribute.String("input.value", strings.Repeat("x", number("CONTENT_BYTES")))
	tracer := provider.Tracer("shop")
	for i := range number("SPANS") {
		_, span := tracer.Start(ctx, fmt.Sprintf("span %d", i), trace.WithAttributes(content))
		span.End()
		time.Sleep(time.Duration(number("PACE_MS")) * time.Millisecond)
	}
	if err := provider.Shutdown(ctx); err != nil {
		log.Fatal(err)
	}
}
