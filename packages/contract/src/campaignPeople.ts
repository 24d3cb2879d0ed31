import { z } from 'zod'
import { cut } from './cut.rules.ts'
import { instant } from './kit.ts'

/** The columns of the template (automation §3). */
export const sheetColumns = ['number', 'name_opcional', 'email_opcional'] as const

/** A row of the spreadsheet; other columns are values of `{{column}}`. */
export const NamedPerson = z.preprocess(
  given => (typeof given === 'string' || typeof given === 'number' ? { number: String(given) } : given),
  z
    .looseObject({ number: z.union([z.string().max(60), z.number().transform(String)]) })
    .transform(({ number, ...more }) => ({ number, values: valuesIn(more) })),
)

function valuesIn(given: Record<string, unknown>): Record<string, string> {
  const written = Object.entries(given).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' || typeof value === 'number' ? [[cut(name, 100), cut(String(value), 500)]] : [],
  )
  return Object.fromEntries(written.slice(0, 30))
}

/** What became of the recipients that were named. */
export const Added = z.object({
  added: z.int(),
  /** They were there, or were named twice. */
  doubled: z.int(),
  refused: z.int(),
  /** Added, but never written to. */
  optedOut: z.int(),
  /** Left out because of what `without` names. */
  excluded: z.int(),
  /** The first 100 that were refused, as they were given. */
  faults: z.array(
    z.object({
      row: z.int(),
      number: z.string(),
      fault: z.string(),
      /** Those that an ambiguous number could be. */
      numbers: z.string().optional(),
    }),
  ),
})
export type Added = z.infer<typeof Added>

/** What would become of recipients, each counted once. */
export const Countable = Added.pick({ added: true, optedOut: true, excluded: true })

/** What would happen, before it does. */
export const Forecast = z.object({
  recipients: z.int(),
  /** Of the pending ones: how many can be written to, and how many not, by reason. */
  reachable: z.int(),
  optedOut: z.int(),
  /** Over the official API: silent for a day, and no template. */
  needTemplate: z.int(),
  /** Without a value for a placeholder that has no default. */
  missing: z.int(),
  /** The same by placeholder, as it is written; a recipient may lack several. */
  lacking: z.array(z.object({ name: z.string(), count: z.int() })),
  /** Connections of the setup, and whether each would send now. */
  connections: z.array(
    z.object({ id: z.int(), name: z.string(), ready: z.boolean(), dayCap: z.int().nullable() }),
  ),
  /** Contacts an hour with the connections that are ready, within every limit. */
  perHour: z.int(),
  /** Of the plan; null without. */
  hourCap: z.int().nullable(),
  /** Estimated end if it started now; null when it would never end. */
  endsAt: instant.nullable(),
})
export type Forecast = z.infer<typeof Forecast>

/** Preview of the message for one recipient. */
export const Preview = z.object({
  dispatchId: z.int(),
  name: z.string(),
  number: z.string(),
  greeting: z.string(),
  message: z.string(),
  mediaUrlVt: z.string().nullable(),
  /** Below the message; empty without. */
  buttons: z.array(z.string()),
  /** Placeholders without a value for this recipient, who is then skipped. */
  missing: z.array(z.string()),
})
export type Preview = z.infer<typeof Preview>

/** They add up: pending + sending + sent + failed = total. Read ones are also delivered. */
export const CampaignCounts = z.object({
  total: z.int(),
  pending: z.int(),
  sending: z.int(),
  sent: z.int(),
  failed: z.int(),
  delivered: z.int(),
  read: z.int(),
  answered: z.int(),
  optedOut: z.int(),
})
export type CampaignCounts = z.infer<typeof CampaignCounts>
