import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'
import { compared, LEAST } from './compare.ts'
import type { Stretch } from './live.ts'
import type { Judged } from './paths.ts'

export interface Single {
  name: string
  value: string
  target: string
  met: boolean
}

export interface Report {
  database: string
  scale: number
  paths: Judged[]
  live: Stretch[]
  singles: Single[]
}

const file = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** Prints the tables and keeps them beside this file, as Markdown and as JSON. */
export function tell(report: Report) {
  const text = [
    '# What the bench measured',
    '',
    ...about(report),
    '',
    ...table(
      ['path', 'req/s', 'p50 ms', 'p99 ms', 'SQL', 'server CPU ms', 'bytes', 'refused', 'target', 'met'],
      report.paths.map(f => [
        f.path,
        f.requestsPerSecond,
        f.p50,
        f.p99,
        f.statements,
        f.cpu,
        f.bytes,
        f.failures,
        f.target,
        yes(f.met),
      ]),
    ),
    '',
    ...table(
      [
        'live',
        'sent',
        'refused',
        'heard/s',
        'lost',
        'doubled',
        'p50 ms',
        'p95 ms',
        'p99 ms',
        'target',
        'met',
      ],
      report.live.map(s => [
        s.name,
        s.sent,
        s.refused,
        s.perSecond,
        s.lost,
        s.doubled,
        s.p50,
        s.p95,
        s.p99,
        s.target,
        yes(s.met),
      ]),
    ),
    '',
    ...table(
      ['once', 'value', 'target', 'met'],
      report.singles.map(s => [s.name, s.value, s.target, yes(s.met)]),
    ),
    '',
  ].join('\n')
  writeFileSync(file('report.md'), text)
  writeFileSync(file('report.json'), `${JSON.stringify({ about: about(report), ...report }, null, 2)}\n`)
  console.log(`\n${text}\nAlso in bench/report.md and bench/report.json`)
}

/** Prints the shares beside those of the kept report, which stays; answers whether none is below LEAST of it. */
export function tellCompared(report: Report): boolean {
  const rows = compared(report, JSON.parse(readFileSync(file('report.json'), 'utf8')))
  const text = table(
    ['path', 'share of bare, kept', 'now', 'now / kept', ''],
    rows.map(({ path, before, now, ratio, isLess }) => [
      path,
      before.toFixed(3),
      now.toFixed(3),
      ratio.toFixed(2),
      isLess ? `**below ${LEAST}**` : '',
    ]),
  )
  console.log(`\n${[...about(report), '', ...text].join('\n')}`)
  return rows.every(({ isLess }) => !isLess)
}

const about = ({ database, scale }: Report) => [
  `- ${new Date().toISOString()}, commit ${commit()}`,
  `- ${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.version}`,
  `- ${database}, data set at scale ${scale}; the server, the database and the load share the machine`,
  `- load of the machine at the end: ${loadavg()[0]?.toFixed(1)} (rates of a busy machine compare only within this run)`,
]

function commit() {
  try {
    const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim()
    return git('rev-parse', '--short', 'HEAD') + (git('status', '--porcelain') ? ' with changes' : '')
  } catch {
    return 'unknown'
  }
}

const yes = (met: boolean) => (met ? 'yes' : '**no**')

const table = (head: string[], rows: (string | number)[][]) => [
  `| ${head.join(' | ')} |`,
  `|${head.map(() => '---').join('|')}|`,
  ...rows.map(row => `| ${row.join(' | ')} |`),
]
