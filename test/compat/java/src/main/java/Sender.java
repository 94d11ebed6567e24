import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;

/** Sends spans with an exporter of OpenTelemetry for Java, set up by environment variables: Sender PROTOCOL */
public final class Sender {
  public static void main(String[] args) throws InterruptedException {
    System.setProperty("otel.exporter.otlp.protocol", args[0]);
    System.setProperty("otel.metrics.exporter", "none");
    System.setProperty("otel.logs.exporter", "none");
    System.setProperty("otel.bsp.schedule.delay", "100");
    System.setProperty("otel.bsp.max.export.batch.size", System.getenv("BATCH"));
    OpenTelemetrySdk sdk = AutoConfiguredOpenTelemetrySdk.initialize().getOpenTelemetrySdk();
    Tracer tracer = sdk.getTracer("shop");
    SpanContext remote =
        SpanContext.createFromRemoteParent(
            System.getenv("TRACE_ID"), "00000000000000aa", TraceFlags.getSampled(), TraceState.getDefault());
    Context parent = Context.root().with(Span.wrap(remote));
    String content = "x".repeat(number("CONTENT_BYTES"));
    for (int i = 0; i < number("SPANS"); i++) {
      tracer.spanBuilder("span " + i).setParent(parent)
          .setAttribute(AttributeKey.stringKey("input.value"), content).startSpan().end();
      Thread.sleep(number("PACE_MS"));
    }
    sdk.close();
  }

  private static int number(String name) {
    return Integer.parseInt(System.getenv(name));
  }
}
