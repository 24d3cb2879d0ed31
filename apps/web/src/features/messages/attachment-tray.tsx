import { IconSticker, IconX } from '@tabler/icons-react'
import { addressOfBytes } from '../../platform/bytes.ts'
import classes from './composer.module.css'
import { fileIcon } from './document-card.tsx'
import { useComposeText } from './messages.compose.text.ts'
import { sizeText } from './messages.data.ts'
import { type Attachment, mayBeSticker } from './messages.files.ts'

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
