import {
  AHEAD_MONTHS,
  type Campaign,
  type CampaignMessage,
  type CampaignTemplate,
} from '@balcao/contract/campaignShapes.ts'
import type { Seen } from '@balcao/contract/edits.rules.ts'
import { newId } from '../../platform/ids.ts'
import { clock, momentAt } from '../../platform/time.ts'
import { useCreatorText } from './campaigns.creator.text.ts'
import { nothingPasted, type Pasted } from './pasted.ts'

export interface DraftMessage {
  key: string
  body: string
  file: File | null
  /** A file that the campaign, or the one it is a copy of, has already. */
  mediaUrl: string | null
  mediaName: string
  /** Sent instead over the official API to recipients who may only get templates. */
  template: CampaignTemplate | null
}

export interface People {
  pasted: Pasted
  categoryIds: number[]
  tagIds: number[]
  /** Days of the company's clock. */
  from: string
  until: string
  sheetId: number | null
  without: Without
}

/** Who stays out, whatever names them. */
export interface Without {
  campaignIds: number[]
  answeredIds: number[]
  categoryIds: number[]
  tagIds: number[]
}

export interface Draft {
  name: string
  setupId: string
  greeting: string
  messages: DraftMessage[]
  isScheduled: boolean
  /** What the company's clock shows. */
  schedule: string
  people: People
}

export const emptyMessage = (): DraftMessage => ({
  key: newId(),
  body: '',
  file: null,
  mediaUrl: null,
  mediaName: '',
  template: null,
})

const DAYS_BACK = 30

const noPeople = (): People => ({
  pasted: nothingPasted,
  categoryIds: [],
  tagIds: [],
  from: clock().subtract(DAYS_BACK, 'day').format('YYYY-MM-DD'),
  until: clock().format('YYYY-MM-DD'),
  sheetId: null,
  without: { campaignIds: [], answeredIds: [], categoryIds: [], tagIds: [] },
})

/** Initial draft: empty, a campaign to change, or one to copy. */
export function draftOf(like: Campaign | null, isCopy: boolean): Draft {
  const schedule = !isCopy && like?.schedule ? clock(like.schedule).format('YYYY-MM-DDTHH:mm') : ''
  return {
    name: like?.name ?? '',
    setupId: like?.campaignSetup?.handle ?? '',
    greeting: like?.campaignMessages[0]?.greeting ?? '',
    messages: like?.campaignMessages.map(draftMessage) ?? [emptyMessage()],
    isScheduled: schedule !== '',
    schedule: schedule || clock().add(1, 'hour').startOf('hour').format('YYYY-MM-DDTHH:mm'),
    people: noPeople(),
  }
}

const draftMessage = ({ body, mediaUrl, mediaName, template }: CampaignMessage): DraftMessage => ({
  ...emptyMessage(),
  body,
  mediaUrl,
  mediaName,
  template,
})

/** The messages as the server expects them, and their new files in the same order: two may have the same name. */
export function messagesOf(draft: Draft) {
  const files: File[] = []
  const messages = draft.messages.map(({ body, file, mediaUrl, template }) => {
    if (file) files.push(file)
    return {
      greeting: draft.greeting,
      body,
      typeMessage: file || mediaUrl ? ('media' as const) : ('text' as const),
      ...(template && { template }),
      ...(!file && mediaUrl && { mediaUrl }),
    }
  })
  return { messages, files }
}

const sourcesOf = ({ pasted, categoryIds, tagIds, from, until, sheetId }: People) => ({
  ...(pasted.people.length > 0 && { sendList: pasted.people }),
  ...(categoryIds.length > 0 && { categoryIds }),
  ...(tagIds.length > 0 && { tagIds, dateInitial: from, dateFinal: until }),
  ...(sheetId !== null && { sheetId }),
})

/** The recipients as the server expects them. */
export const recipientsOf = (people: People) => ({
  ...sourcesOf(people),
  ...(excludes(people.without) && { without: people.without }),
})

export const excludes = (without: Without) => Object.values(without).some(ids => ids.length > 0)

export const hasPeople = (people: People) => Object.keys(sourcesOf(people)).length > 0

/** Scheduled start as the server expects it; null for a manual or an immediate one. */
export const scheduleOf = ({ isScheduled, schedule }: Draft) => (isScheduled ? momentAt(schedule) : null)

/** Errors of the draft, in the texts and the order of the documents (CAMP-012 … CAMP-017, CAMP-021). */
export function faultsOf(draft: Draft, needsPeople: boolean): Map<string, string> {
  const t = useCreatorText.read
  const faults = new Map<string, string>()
  if (draft.name.trim() === '') faults.set('name', t('needsName'))
  if (draft.setupId === '') faults.set('setup', t('needsSetup'))
  if (draft.greeting.trim() === '') faults.set('greeting', t('needsGreeting'))
  if (draft.messages.length === 0) faults.set('messages', t('needsMessages'))
  for (const { key, body, file, mediaUrl, template } of draft.messages) {
    const hasFile = file !== null || mediaUrl !== null
    if (body.trim() === '' && !hasFile) faults.set(key, t('needsMessage'))
    if (template?.withFile && !hasFile) faults.set(key, t('needsFile'))
  }
  if (needsPeople && !hasPeople(draft.people)) faults.set('people', t('needsPeople'))
  const late = draft.isScheduled && outOfReach(draft.schedule, AHEAD_MONTHS.creator)
  if (late) faults.set('schedule', t(late))
  return faults
}

/** The current minute still counts as now. */
const MINUTE_MS = 60_000

export function outOfReach(shown: string, months: number): 'inPast' | 'tooFar' | null {
  const at = shown === '' ? 0 : Date.parse(momentAt(shown))
  if (at < Date.now() - MINUTE_MS) return 'inPast'
  return at > clock().add(months, 'month').valueOf() ? 'tooFar' : null
}

/** What the form shows of a campaign, by the fields of its record. */
export const seenIn = (
  { name, campaignSetupId, schedule, campaignMessages }: Campaign,
  isFixed: boolean,
): Seen => ({
  name,
  ...(!isFixed && {
    ...{ campaignSetupId, schedule },
    campaignMessages: campaignMessages.map(one => ({ greeting: one.greeting, body: one.body })),
  }),
})

/** The same fields as they are now. */
export const inSeen = (current: Seen, seen: Seen): Seen =>
  Object.fromEntries(Object.keys(seen).map(name => [name, current[name]]))
