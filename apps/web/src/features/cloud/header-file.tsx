import { Button, FileButton } from '@mantine/core'
import { IconUpload, IconX } from '@tabler/icons-react'
import { IconButton } from '../../ui/icon-button.tsx'
import { useCloudText } from './cloud.text.ts'
import classes from './template.module.css'

/** What WhatsApp shows in a header (Meta, "Media", supported types). */
const ENDINGS = { image: '.png,.jpg,.jpeg', video: '.mp4,.3gp', document: '' }

interface Props {
  kind: 'image' | 'video' | 'document'
  file: File | null
  onChange(file: File | null): void
}

/** The file of a template's header. */
export function HeaderFile({ kind, file, onChange }: Props) {
  const t = useCloudText()
  return (
    <div className={classes.file}>
      <FileButton
        onChange={chosen => chosen && onChange(chosen)}
        {...(ENDINGS[kind] && { accept: ENDINGS[kind] })}
      >
        {props => (
          <Button {...props} variant="default" size="xs" leftSection={<IconUpload size={14} aria-hidden />}>
            {t(kind)}
          </Button>
        )}
      </FileButton>
      {file && <span className="one-line">{file.name}</span>}
      {file && (
        <IconButton label={t('removeFile', { name: file.name })} onClick={() => onChange(null)}>
          <IconX size={16} stroke={1.75} />
        </IconButton>
      )}
    </div>
  )
}
