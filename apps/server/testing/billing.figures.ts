import { z } from 'zod'
import { type ExpectedInvoice, type ExpectedNotice, noticeKey } from './billing.expected.ts'
import type { PostOffice } from './smtp.ts'
import type { Store } from './store.ts'

/** Counts of the rows, with no process running. */
const KEPT = `select
  (select coalesce(json_agg(json_build_object('companyId', company_id, 'start', start_invoice_period, 'words',
      concat_ws(' ', company_id, start_invoice_period, end_invoice_period, due_date, value, status, is_automatic))), '[]')
    from invoices where company_id >= 1000) as invoices,
  (select coalesce(json_agg(json_build_object('id', n.id, 'companyId', n.company_id, 'start', coalesce(i.start_invoice_period, n.trial_ends_on),
      'hearer', n.contact_id, 'platform', n.platform, 'kind', n.kind, 'state', n.state)), '[]')
    from billing_notices n left join invoices i on i.company_id = n.company_id and i.id = n.invoice_id) as notices,
  (select coalesce(json_agg(json_build_object('body', body, 'externalId', external_id, 'copies', copies)), '[]')
    from simulator_messages where from_me and said->>'kind' = 'message' and number like '5511977%') as phones`

const Notice = z.object({
  id: z.string(),
  companyId: z.number(),
  start: z.string(),
  hearer: z.number(),
  platform: z.enum(['email', 'wpp']),
  kind: z.string(),
  state: z.string(),
})
type Notice = z.infer<typeof Notice>

const Kept = z.object({
  invoices: z.array(z.object({ companyId: z.number(), start: z.string(), words: z.string() })),
  notices: z.array(Notice),
  phones: z.array(z.object({ body: z.string(), externalId: z.string(), copies: z.number() })),
})
type Kept = z.infer<typeof Kept>

/** Counts what is there against what has to be: each thing that is not as it should is a line of `wrong`. */
export async function billingFigures(
  store: Store,
  office: PostOffice,
  expected: { invoices: ExpectedInvoice[]; notices: ExpectedNotice[] },
) {
  const kept = Kept.parse((await store.rows(KEPT))[0])
  const heard = heardOf(kept, office)
  const wrong = [...wrongInvoices(kept, expected.invoices), ...wrongNotices(kept, expected.notices, heard)]
  const known = new Set(kept.notices.map(({ id }) => id))
  for (const id of heard.keys()) if (!known.has(id)) wrong.push({ what: 'extra', words: `heard ${id}` })
  const count = (what: Wrong['what']) => wrong.filter(one => one.what === what).length
  const dropped = kept.notices.filter(({ state }) => state === 'dropped').length
  const copies = kept.phones.reduce((sum, { copies }) => sum + copies - 1, 0)
  return {
    wrong,
    figures: {
      invoices: kept.invoices.length,
      notices: kept.notices.length,
      letters: new Set(office.letters.map(({ messageId }) => messageId)).size,
      messages: kept.phones.length,
      'not said any more': dropped,
      'second copies under the same id':
        office.letters.length - new Set(office.letters.map(one => one.messageId)).size + copies,
      lost: count('lost'),
      doubled: count('doubled'),
      'not to be there': count('extra'),
    },
  }
}

interface Wrong {
  what: 'lost' | 'doubled' | 'extra'
  words: string
}

const compare = (what: Wrong['what'], words: string[]): Wrong[] => words.map(one => ({ what, words: one }))
const doubles = (among: string[]) => among.filter((one, at) => among.indexOf(one) < at)

/** Letters by their Message-ID and messages by the network's, of each notice that they belong to. */
function heardOf({ phones }: Kept, office: PostOffice): Map<string, Set<string>> {
  const heard = new Map<string, Set<string>>()
  const hear = (platform: string, text: string, id: string) => {
    const [, noticeId = text] = new RegExp(`/n/${platform}/([0-9a-f-]{36})`).exec(text) ?? []
    heard.set(noticeId, (heard.get(noticeId) ?? new Set()).add(id))
  }
  for (const { text, messageId } of office.letters) hear('email', text, messageId)
  for (const { body, externalId } of phones) hear('wpp', body, externalId)
  return heard
}

function wrongInvoices({ invoices }: Kept, expected: ExpectedInvoice[]): Wrong[] {
  const wanted = expected.map(
    ({ payer, start, end, cents, status }) =>
      `${payer.companyId} ${start} ${end} ${start} ${cents} ${status} t`,
  )
  const found = invoices.map(({ words }) => words)
  const [isWanted, isFound] = [new Set(wanted), new Set(found)]
  return [
    ...compare(
      'lost',
      wanted.filter(one => !isFound.has(one)),
    ),
    ...compare(
      'extra',
      found.filter(one => !isWanted.has(one)),
    ),
    ...compare('doubled', doubles(invoices.map(({ companyId, start }) => `${companyId} ${start}`))),
  ]
}

function wrongNotices(
  { notices }: Kept,
  expected: ExpectedNotice[],
  heard: Map<string, Set<string>>,
): Wrong[] {
  const keyOf = ({ companyId, start, hearer, platform, kind }: Notice) =>
    noticeKey(companyId, start, hearer, platform, kind)
  const rows = new Map(notices.map(notice => [keyOf(notice), notice]))
  const known = new Set(expected.filter(({ row }) => row !== 'never').map(({ key }) => key))
  const wrong = [
    ...compare('doubled', doubles(notices.map(keyOf))),
    ...compare(
      'extra',
      [...rows.keys()].filter(key => !known.has(key)),
    ),
  ]
  for (const { key, row, said } of expected) {
    const notice = rows.get(key)
    const times = notice ? (heard.get(notice.id)?.size ?? 0) : 0
    const words = `${key}: ${notice?.state ?? 'no row'}, heard ${times} times`
    if (row === 'must' && !notice) wrong.push({ what: 'lost', words })
    else if (said === 'must' && times === 0) wrong.push({ what: 'lost', words })
    else if (said === 'never' && times > 0) wrong.push({ what: 'extra', words })
    if (times > 1) wrong.push({ what: 'doubled', words })
    if ((notice?.state === 'sent') !== times > 0)
      wrong.push({ what: 'lost', words: `written down: ${words}` })
  }
  return wrong
}
