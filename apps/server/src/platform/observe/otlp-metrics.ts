import { type HrTime, ValueType } from '@opentelemetry/api'
import type { Resource } from '@opentelemetry/resources'
import {
  AggregationTemporality,
  type CollectionResult,
  type DataPoint,
  DataPointType,
  type HistogramMetricData,
  type MetricData,
} from '@opentelemetry/sdk-metrics'
import type { MetricObjectWithValues, MetricValue } from 'prom-client'
import { databaseNow } from '../clock.ts'

type Metric = MetricObjectWithValues<MetricValue<string>>

/** The figures of /metrics, as a collector takes them: one source, and two ways out. */
export function otlpMetrics(metrics: Metric[], resource: Resource): CollectionResult {
  const now = databaseNow()
  const startTime = instantOf(now - performance.now())
  const endTime = instantOf(now)
  const made = metrics.map(metric => metricOf(metric, { startTime, endTime })).filter(one => one !== null)
  return {
    resourceMetrics: { resource, scopeMetrics: [{ scope: { name: 'balcao' }, metrics: made }] },
    errors: [],
  }
}

interface Times {
  startTime: HrTime
  endTime: HrTime
}

const instantOf = (ms: number): HrTime => [Math.floor(ms / 1_000), Math.round((ms % 1_000) * 1e6)]

function metricOf({ name, help, type, values }: Metric, times: Times): MetricData | null {
  const descriptor = { name, description: help, unit: '', valueType: ValueType.DOUBLE }
  const aggregationTemporality = AggregationTemporality.CUMULATIVE
  const dataPoints = values.map(
    ({ value, labels }): DataPoint<number> => ({ ...times, value, attributes: { ...labels } }),
  )
  // prom-client’s names of the kinds: its type is an enum, and what it answers are these words
  switch (String(type)) {
    case 'counter':
      return {
        ...{ descriptor, aggregationTemporality, dataPoints },
        ...{ dataPointType: DataPointType.SUM, isMonotonic: true },
      }
    case 'gauge':
      return { descriptor, aggregationTemporality, dataPoints, dataPointType: DataPointType.GAUGE }
    case 'histogram':
      return {
        ...{ descriptor, aggregationTemporality, dataPointType: DataPointType.HISTOGRAM },
        dataPoints: histogramPoints(values, times),
      }
    default:
      return null
  }
}

/** Prometheus counts a bucket with all below it, OTLP by itself. */
function histogramPoints(values: Metric['values'], times: Times): HistogramMetricData['dataPoints'] {
  const keyOf = ({ labels: { le: _bound, ...labels } }: MetricValue<string>) => JSON.stringify(labels)
  return Array.from(Map.groupBy(values, keyOf), ([key, its]) => {
    const of = (end: string) =>
      its.find(one => (one as { metricName?: string }).metricName?.endsWith(end))?.value ?? 0
    const buckets = its.filter(({ labels }) => labels.le !== undefined && labels.le !== '+Inf')
    const upTo = [...buckets.map(({ value }) => value), of('_count')]
    return {
      ...times,
      attributes: JSON.parse(key) as Record<string, string>,
      value: {
        buckets: {
          boundaries: buckets.map(({ labels }) => Number(labels.le)),
          counts: upTo.map((value, at) => value - (upTo[at - 1] ?? 0)),
        },
        count: of('_count'),
        sum: of('_sum'),
      },
    }
  })
}
