import { Button, CopyButton, TextInput } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { texts } from '../platform/text.ts'
import classes from './copied-field.module.css'

const useText = texts({
  copy: ['Copiar', 'Copy', 'Copiar'],
  copied: ['Copiado', 'Copied', 'Copiado'],
})

/** What somebody carries to another system. */
export function CopiedField({ label, value }: { label: string; value: string }) {
  const t = useText()
  return (
    <div className={classes.copied}>
      <TextInput className={classes.value} label={label} value={value} readOnly />
      <CopyButton value={value}>
        {({ copied, copy }) => (
          <Button
            variant="default"
            onClick={copy}
            leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
            aria-label={`${t(copied ? 'copied' : 'copy')}: ${label}`}
          >
            {t(copied ? 'copied' : 'copy')}
          </Button>
        )}
      </CopyButton>
    </div>
  )
}
