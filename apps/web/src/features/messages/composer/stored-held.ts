import type { Message } from '@balcao/contract/messages.ts'
import { alone } from '../../../platform/alone.ts'
import { newId } from '../../../platform/ids.ts'
import { warnNotStored } from '../../../platform/not-stored.ts'
import { stored } from '../../../platform/stored.ts'
import type { Attachment } from '../../media/upload.ts'
import { allHeld, FORGOTTEN, type Held, type HeldRecording, held, hold } from './held.ts'
import { isQuotedStill } from './kept-drafts.ts'
import { soFarOf } from './so-far.ts'

type Part = keyof Held

/** One part of what is begun in a ticket, by its author. */
interface Row {
  key: string
  owner: string
  ticketId: number
  part: Part
  /** Milliseconds since 1970. */
  at: number
  bytes: number
  files?: Attachment[]
  quoted?: Message
  recording?: Pick<HeldRecording, 'seconds' | 'bars'> & { made: Blob }
  /** The page that records; another takes the recording over when this one is gone. */
  page: string
}

/** Bounds of all of them in one browser: the oldest go first. */
const MOST = 100
const MOST_BYTES = 300_000_000
const KEPT_MS = 30 * 24 * 3_600_000
/** What was sent is removed after its message is in the browser. */
const REMOVE_MS = 500
/** A recording is stored again when so many seconds, or this share of it, have come. */
const MORE_SECONDS = 2
const MORE_SHARE = 0.1

const rows = stored<Row>('balcao-begun', 'parts', 'key')
const PAGE = newId()
const pageLock = (page: string) => `balcao-page-${page}`
const keyOf = (owner: string, ticketId: number, part: Part) => `${owner}:${ticketId}:${part}`

/**
 * Files, quoted message and recording of every composer are kept in the browser until they are sent or dropped, brought back for
 * their author, and followed between tabs. Returns the end of it.
 */
export function followHeld(owner: string): () => void {
  let before = allHeld.read()
  let isStopped = false
  const isStill = () => !isStopped
  const tabs = new BroadcastChannel('balcao-begun')
  const announce = (ticketId: number) => isStill() && tabs.postMessage({ owner, ticketId })
  // what was stored before is brought back first: it is not overwritten by what was begun since
  const restored = counted(alone('balcao-begun', () => restore(owner, isStill))).catch(notStored)
  const save = (ticketId: number, part: Part) =>
    void restored
      .then(() => store(owner, ticketId, part))
      .then(
        () => part === 'files' && announce(ticketId),
        error => notStoredOf(ticketId, part, error),
      )
  const saveChanges = (ticketId: number, was: Held | undefined, now: Held | undefined) => {
    for (const part of changedParts(ticketId, was, now)) save(ticketId, part)
  }
  if (before !== FORGOTTEN) for (const [ticketId, now] of before) saveChanges(ticketId, undefined, now)
  const stop = allHeld.follow(() => {
    const now = allHeld.read()
    const was = before
    before = now
    if (now === FORGOTTEN || isReceiving) return
    for (const ticketId of new Set([...was.keys(), ...now.keys()]))
      saveChanges(ticketId, was.get(ticketId), now.get(ticketId))
  })
  const left = () => {
    if (document.visibilityState !== 'hidden') return
    for (const [ticketId, { recording }] of allHeld.read())
      if (ticketId > 0 && recording?.state === 'recording') save(ticketId, 'recording')
  }
  tabs.onmessage = ({ data }: MessageEvent<{ owner: string; ticketId: number }>) => {
    if (data.owner === owner) void receiveFiles(owner, data.ticketId, isStill).catch(notStored)
  }
  document.addEventListener('visibilitychange', left)
  return () => {
    isStopped = true
    stop()
    tabs.close()
    document.removeEventListener('visibilitychange', left)
  }
}

function changedParts(ticketId: number, old: Held | undefined, next: Held | undefined): Part[] {
  // the phone of the simulator is no ticket
  if (old === next || ticketId <= 0) return []
  const hasFiles = (old?.files.length ?? 0) + (next?.files.length ?? 0) > 0
  const parts: Part[] = hasFiles && old?.files !== next?.files ? ['files'] : []
  if ((old?.quoted ?? null) !== (next?.quoted ?? null)) parts.push('quoted')
  if (isWorthStoring(ticketId, old?.recording ?? null, next?.recording ?? null)) parts.push('recording')
  return parts
}

/** How many seconds of a recording are stored. */
const seconds = new Map<number, number>()

function isWorthStoring(ticketId: number, old: HeldRecording | null, next: HeldRecording | null) {
  if (old === next || next?.state === 'opening' || next?.state === 'sending') return false
  if (!next || next.state !== old?.state) return true
  const last = seconds.get(ticketId) ?? 0
  return next.state === 'recording' && next.seconds - last > MORE_SECONDS + last * MORE_SHARE
}

function store(owner: string, ticketId: number, part: Part): Promise<void> {
  if (part === 'recording') seconds.set(ticketId, held(ticketId).recording?.seconds ?? 0)
  const row = rowOf(owner, ticketId, part)
  return row ? put(row) : removeSoon(keyOf(owner, ticketId, part))
}

/** Tickets in which a user has something begun that is only in this browser. */
export async function begunBy(owner: string): Promise<number[]> {
  await allDone()
  const all = await rows.all().catch(() => [])
  // the server has the quoted message with the draft
  return [
    ...new Set(all.filter(row => row.owner === owner && row.part !== 'quoted').map(row => row.ticketId)),
  ]
}

/** A user leaves nothing that is begun in this browser. */
export async function dropBegun(owner: string): Promise<void> {
  await allDone()
  for (const row of await rows.all().catch(() => [])) if (row.owner === owner) await rows.remove(row.key)
}

function rowOf(owner: string, ticketId: number, part: Part): Row | null {
  const { files, quoted, recording } = held(ticketId)
  const row = { key: keyOf(owner, ticketId, part), owner, ticketId, part, at: Date.now(), page: PAGE }
  if (part === 'files' && files.length > 0)
    return { ...row, files, bytes: files.reduce((sum, { file }) => sum + file.size, 0) }
  if (part === 'quoted' && quoted) return { ...row, quoted, bytes: 0 }
  if (part !== 'recording' || !recording) return null
  const made = soFarOf(recording)
  if (made.size === 0) return null
  return { ...row, recording: { made, seconds: recording.seconds, bars: recording.bars }, bytes: made.size }
}

const removals = new Map<string, { timer: ReturnType<typeof setTimeout>; end(): void }>()
const underWay = new Set<Promise<unknown>>()
const counted = <T>(work: Promise<T>): Promise<T> => {
  underWay.add(work)
  void work.catch(() => {}).finally(() => underWay.delete(work))
  return work
}

/** Everything that is being stored or removed is. */
async function allDone() {
  await Promise.allSettled([...underWay])
  for (const { end } of [...removals.values()]) end()
  await Promise.allSettled([...underWay])
}

async function put(row: Row) {
  const removal = removals.get(row.key)
  clearTimeout(removal?.timer)
  removals.delete(row.key)
  void holdPageLock()
  await counted(rows.put(row).then(dropSurplus))
}

const removeSoon = (key: string) =>
  new Promise<void>((resolve, reject) => {
    const end = () => {
      clearTimeout(removals.get(key)?.timer)
      removals.delete(key)
      counted(rows.remove(key)).then(() => resolve(), reject)
    }
    clearTimeout(removals.get(key)?.timer)
    removals.set(key, { timer: setTimeout(end, REMOVE_MS), end })
  })

async function dropSurplus() {
  const newest = (await rows.all()).sort((a, b) => b.at - a.at)
  let bytes = 0
  for (const [place, row] of newest.entries()) {
    bytes += row.bytes
    const isOld = row.at < Date.now() - KEPT_MS
    if (place >= MOST || bytes > MOST_BYTES || isOld) await rows.remove(row.key)
  }
}

/** What comes from the browser or another tab is not stored again. */
let isReceiving = false
function receive(ticketId: number, part: Partial<Held>) {
  isReceiving = true
  try {
    hold(ticketId, part)
  } finally {
    isReceiving = false
  }
}

async function restore(owner: string, isStill: () => boolean) {
  await dropSurplus()
  const mine = (await rows.all()).filter(row => row.owner === owner)
  const pages = await openPages()
  for (const { key, ticketId, files, quoted, recording, page } of mine) {
    // each of them may wait for the browser meanwhile
    if (!isStill()) return
    const now = held(ticketId)
    if (files) bringBack(ticketId, files)
    if (quoted && !now.quoted) {
      if (isQuotedStill(ticketId, quoted.id)) receive(ticketId, { quoted })
      // ended elsewhere: the next page would not know that
      else await rows.remove(key).catch(notStored)
    }
    if (!recording || pages.has(page)) continue
    const { made, bars } = recording
    const kept = recording.seconds
    if (now.recording) {
      // another one is under way: this one is a file beside it
      const file = new File([made], 'audio.mp3', { type: made.type || 'audio/mpeg' })
      const sound = { kind: 'audio', width: null, height: null, seconds: kept, asSticker: false } as const
      hold(ticketId, { files: [...now.files, { key: newId(), file, ...sound }] })
      continue
    }
    // stored again, as this page's
    hold(ticketId, {
      recording: { recording: null, state: 'paused', seconds: kept, bars, before: { made, seconds: kept } },
    })
    // before another tab looks
    await holdPageLock()
    await store(owner, ticketId, 'recording')
  }
}

/** Stored files stand before those that were chosen since. */
function bringBack(ticketId: number, files: Attachment[]) {
  const now = held(ticketId).files
  if (now.length === 0) return receive(ticketId, { files })
  const known = new Set(now.map(({ key }) => key))
  const further = files.filter(({ key }) => !known.has(key))
  if (further.length > 0) hold(ticketId, { files: [...further, ...now] })
}

/** Another tab has other files for a ticket, or has sent them. */
async function receiveFiles(owner: string, ticketId: number, isStill: () => boolean) {
  const row = (await rows.all()).find(({ key }) => key === keyOf(owner, ticketId, 'files'))
  const known = held(ticketId).files
  if (!isStill()) return
  receive(ticketId, {
    files: (row?.files ?? []).map(file => known.find(({ key }) => key === file.key) ?? file),
  })
}

let locked: Promise<void> | null = null
/** While this page is open, others leave its recordings to it. */
const holdPageLock = (): Promise<void> =>
  (locked ??= new Promise(resolve => {
    if (!navigator.locks) return resolve()
    void navigator.locks.request(pageLock(PAGE), () => {
      resolve()
      return new Promise<never>(() => {})
    })
  }))

async function openPages() {
  const { held: locks = [] } = (await navigator.locks?.query()) ?? {}
  const prefix = pageLock('')
  return new Set(locks.map(({ name }) => name?.slice(prefix.length) ?? '').filter(page => page !== PAGE))
}

/** The server has a quoted message with its draft; files and a recording are nowhere else. */
function notStoredOf(ticketId: number, part: Part, error: unknown) {
  notStored(error)
  const { files, recording } = held(ticketId)
  if (part !== 'quoted' && (files.length > 0 || recording)) warnNotStored()
}

/** A browser without storage or space: it stays in the memory of the page. */
const notStored = (error: unknown) => console.warn('the browser does not keep what is begun', error)
