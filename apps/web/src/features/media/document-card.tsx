import { cut } from '@balcao/contract/cut.rules.ts'
import type { Message } from '@balcao/contract/messages.ts'
import {
  IconDownload,
  IconFile,
  IconFileSpreadsheet,
  IconFileText,
  IconFileTypePdf,
  IconFileZip,
  IconMusic,
  IconPhoto,
  IconVideo,
} from '@tabler/icons-react'
import { useState } from 'react'
import { IconButton } from '../../ui/icon-button.tsx'
import { NoPreview, saveFile, Thumbnail } from './file.tsx'
import classes from './media.module.css'
import { useMediaText } from './media.text.ts'
import { localFile } from './upload.ts'
import { onItsWay, sizeText } from './words.ts'

/** A file to download: kind, size, save button. */
export function DocumentCard({ message }: { message: Message }) {
  const t = useMediaText()
  const [busy, setBusy] = useState(false)
  const { media } = message
  if (media?.state === 'failed') return <NoPreview message={message} onAgain={() => {}} />
  const name = media?.name || t('document')
  const Icon = fileIcon(media?.type ?? '', name)
  const save = async () => {
    setBusy(true)
    await saveFile(message, name)
    setBusy(false)
  }
  return (
    <div className={classes.document}>
      <span className={classes.kind} aria-hidden>
        {media?.thumbnail ? <Thumbnail message={message} /> : <Icon size={22} stroke={1.75} />}
      </span>
      <span className={classes.facts}>
        <strong className="one-line" title={name}>
          {name}
        </strong>
        <span>
          {[
            typeName(media?.type ?? '', name),
            media?.pages && t('pages', { count: media.pages }),
            media?.size && sizeText(media.size),
          ]
            .filter(Boolean)
            .join(' · ')}
          {media?.state === 'loading' && ` · ${onItsWay(message)}`}
        </span>
      </span>
      <IconButton
        label={t('download', { name })}
        onClick={() => void save()}
        disabled={busy || (message.mediaUrl === null && !localFile(message.id))}
      >
        <IconDownload size={19} stroke={1.75} />
      </IconButton>
    </div>
  )
}

const icons: [RegExp, typeof IconFile][] = [
  [/pdf/, IconFileTypePdf],
  [/sheet|excel|csv|xlsx?$|ods$/, IconFileSpreadsheet],
  [/zip|rar|7z|gzip/, IconFileZip],
  [/^image/, IconPhoto],
  [/^video/, IconVideo],
  [/^audio/, IconMusic],
  [/text|word|document|docx?$|odt$/, IconFileText],
]

export const fileIcon = (type: string, name: string): typeof IconFile =>
  icons.find(([pattern]) => pattern.test(type) || pattern.test(name.toLowerCase()))?.[1] ?? IconFile

/** PDF, XLSX: what people read at the end of a name. */
function typeName(type: string, name: string) {
  const ending = /\.([a-z0-9]{1,5})$/i.exec(name)?.[1] ?? cut(type.split('/')[1] ?? '', 5)
  return ending.toUpperCase()
}
