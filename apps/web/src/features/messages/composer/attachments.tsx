import { MAX_FILES } from '@balcao/contract/media.ts'
import { IconSticker, IconX } from '@tabler/icons-react'
import { type DragEvent, useState } from 'react'
import { addressOfBytes, forgetBytes } from '../../../platform/bytes.ts'
import { notify } from '../../../platform/notify.tsx'
import { ofPerson } from '../../../platform/person.ts'
import { fileIcon } from '../../media/document-card.tsx'
import { checkFiles, mayBeSticker, type RefusedFile } from '../../media/files.ts'
import type { Attachment } from '../../media/upload.ts'
import { sizeText } from '../../media/words.ts'
import classes from './composer.module.css'
import { useComposeText } from './composer.text.ts'
import { held, hold } from './held.ts'

/** The files that go with the next message. */
export function AttachmentTray({
  files,
  onRemove,
  onSticker,
}: {
  files: Attachment[]
  onRemove(key: string): void
  /** Omitted where nothing is sent. */
  onSticker?(key: string): void
}) {
  const t = useComposeText()
  if (files.length === 0) return null
  return (
    <ul className={classes.tray} aria-label={t('files')}>
      {files.map(attachment => {
        const { key, file, kind, asSticker = false } = attachment
        const Icon = fileIcon(file.type, file.name)
        return (
          <li key={key} className={classes.tile} title={file.name}>
            {kind === 'image' ? (
              <img src={addressOfBytes(file)} alt={file.name} />
            ) : (
              <span>
                <Icon size={22} stroke={1.75} aria-hidden />
                <span className="one-line">{file.name}</span>
                <span>{sizeText(file.size)}</span>
              </span>
            )}
            {onSticker && mayBeSticker(attachment) && (
              <button
                type="button"
                className={classes.sticker}
                aria-pressed={asSticker}
                aria-label={t('asSticker', { name: file.name })}
                title={t('asSticker', { name: file.name })}
                onClick={() => onSticker(key)}
              >
                <IconSticker size={16} stroke={1.75} aria-hidden />
              </button>
            )}
            <button
              type="button"
              aria-label={t('removeFile', { name: file.name })}
              onClick={() => onRemove(key)}
            >
              <IconX size={14} stroke={2} aria-hidden />
            </button>
          </li>
        )
      })}
    </ul>
  )
}

/** Files that are being checked: a message sent meanwhile waits for them. */
let checking = new Map<number, Promise<unknown>>()
ofPerson(() => {
  checking = new Map()
})

/** Calls back when every file that was given is among the chosen ones; false where that is so already. */
export function whenAccepted(ticketId: number, then: () => void): boolean {
  const under = checking.get(ticketId)
  void under?.then(then)
  return under !== undefined
}

/** Attaches files to the next message of a ticket; shows which are refused, and why. */
export function attach(ticketId: number, chosen: File[]): Promise<void> {
  const own = checking
  const before = own.get(ticketId)
  const taken = (async () => {
    await before
    const { taken, refused } = await checkFiles(chosen, held(ticketId).files.length)
    // another user is logged in
    if (checking !== own) return
    for (const one of refused) notify.warn(reasonOf(one), { seconds: 9 })
    if (taken.length > 0) hold(ticketId, { files: [...held(ticketId).files, ...taken] })
  })().finally(() => {
    if (own.get(ticketId) === taken) own.delete(ticketId)
  })
  own.set(ticketId, taken)
  return taken
}

/** What is done with the files chosen for a ticket. */
export const chosenFiles = (ticketId: number) => ({
  remove(key: string) {
    const { files } = held(ticketId)
    const gone = files.find(file => file.key === key)
    if (gone) forgetBytes(gone.file)
    hold(ticketId, { files: files.filter(file => file.key !== key) })
  },
  toggleSticker(key: string) {
    const turned = (file: Attachment) => (file.key === key ? { ...file, asSticker: !file.asSticker } : file)
    hold(ticketId, { files: held(ticketId).files.map(turned) })
  },
  /** Returns and removes all of them: a second Enter does not send them again. */
  takeAll(): Attachment[] {
    const { files } = held(ticketId)
    hold(ticketId, { files: [] })
    return files
  },
})

/**
 * The files of a clipboard, if files were copied. Cells and text come with a picture of themselves, but their
 * text is meant. A copied file has a name.
 */
export function filesOf(clipboard: Pick<DataTransfer, 'files' | 'getData'>): File[] {
  const copied = [...clipboard.files]
  const words = clipboard.getData('text/plain').trim()
  const areNames = words.split(/\r?\n/).every(line => copied.some(({ name }) => line.endsWith(name)))
  return words === '' || areNames ? copied : []
}

/**
 * Files may be dropped anywhere on a conversation. Where nothing can be sent they are ignored, and the page
 * is not replaced.
 */
export function useDrop(ticketId: number, isOpen: boolean) {
  const [dropping, setDropping] = useState(false)
  return {
    dropping,
    drop: {
      onDragOver(event: DragEvent) {
        if (!event.dataTransfer.types.includes('Files')) return
        event.preventDefault()
        if (isOpen) setDropping(true)
        else event.dataTransfer.dropEffect = 'none'
      },
      onDragLeave(event: DragEvent) {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setDropping(false)
      },
      onDrop(event: DragEvent) {
        setDropping(false)
        if (event.dataTransfer.files.length === 0) return
        event.preventDefault()
        if (isOpen) void attach(ticketId, [...event.dataTransfer.files])
      },
    },
  }
}

export function reasonOf({ name, why, limit }: RefusedFile): string {
  const t = useComposeText.read
  if (why === 'type') return t('badType', { name })
  if (why === 'size') return t('badSize', { name, limit: sizeText(limit) })
  if (why === 'empty') return t('badEmpty', { name })
  if (why === 'unreadable') return t('badPicture', { name })
  return t('badMany', { name, count: MAX_FILES })
}
