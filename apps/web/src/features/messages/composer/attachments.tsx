import { MAX_FILES } from '@balcao/contract/media.ts'
import { IconSticker, IconX } from '@tabler/icons-react'
import { type DragEvent, useState } from 'react'
import { addressOfBytes, forgetBytes } from '../../../platform/bytes.ts'
import { notify } from '../../../platform/notify.tsx'
import { store, useStore, writeKey } from '../../../platform/store.ts'
import { fileIcon } from '../media/document-card.tsx'
import type { Attachment } from '../media/upload.ts'
import { sizeText } from '../media/words.ts'
import classes from './composer.module.css'
import { useComposeText } from './composer.text.ts'
import { checkFiles, mayBeSticker, type RefusedFile } from './files.ts'

/** The files that go with the next message. */
export function AttachmentTray({
  files,
  onRemove,
  onSticker,
}: {
  files: Attachment[]
  onRemove(key: string): void
  onSticker(key: string): void
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
            {mayBeSticker(attachment) && (
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

/** Chosen files stay with their ticket while one looks at another, as the draft does; a reload lets go of them. */
const held = store<ReadonlyMap<number, Attachment[]>>(new Map())
const none: Attachment[] = []

/** The files chosen for a ticket, and how they come in and go out. */
export function useAttachments(ticketId: number) {
  const files = useStore(held, all => all.get(ticketId)) ?? none
  const [dropping, setDropping] = useState(false)
  const add = async (chosen: File[]) => {
    const { taken, refused } = await checkFiles(chosen, held.read().get(ticketId)?.length ?? 0)
    for (const one of refused) notify.warn(saying(one), { seconds: 9 })
    if (taken.length > 0) writeKey(held, ticketId, [...(held.read().get(ticketId) ?? []), ...taken])
  }
  return {
    files,
    add,
    dropping,
    remove(key: string) {
      const gone = files.find(file => file.key === key)
      if (gone) forgetBytes(gone.file)
      writeKey(
        held,
        ticketId,
        files.filter(file => file.key !== key),
      )
    },
    toggleSticker(key: string) {
      writeKey(
        held,
        ticketId,
        files.map(file => (file.key === key ? { ...file, asSticker: !file.asSticker } : file)),
      )
    },
    /** Hands over all of them; what left cannot be sent again by a second Enter. */
    takeAll(): Attachment[] {
      writeKey(held, ticketId, undefined)
      return files
    },
    drop: {
      onDragOver(event: DragEvent) {
        if (!event.dataTransfer.types.includes('Files')) return
        event.preventDefault()
        setDropping(true)
      },
      onDragLeave(event: DragEvent) {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setDropping(false)
      },
      onDrop(event: DragEvent) {
        setDropping(false)
        if (event.dataTransfer.files.length === 0) return
        event.preventDefault()
        void add([...event.dataTransfer.files])
      },
    },
  }
}

function saying({ name, why, limit }: RefusedFile): string {
  const t = useComposeText.read
  if (why === 'type') return t('badType', { name })
  if (why === 'size') return t('badSize', { name, limit: sizeText(limit) })
  if (why === 'empty') return t('badEmpty', { name })
  if (why === 'unreadable') return t('badPicture', { name })
  return t('badMany', { name, count: MAX_FILES })
}
