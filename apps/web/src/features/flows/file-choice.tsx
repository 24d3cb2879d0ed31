import { FLOW_FILES } from '@balcao/contract/flows.rules.ts'
import { Button, FileButton, Textarea } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useState } from 'react'
import { checkFiles } from '../media/files.ts'
import { sizeText } from '../media/words.ts'
import classes from './action-builder.module.css'
import { type DraftAction, drop, isFlowFile, withFile } from './drafts.ts'
import { useActionText } from './flows.action.text.ts'

interface Props {
  action: DraftAction
  error: string | null
  onChange(action: Partial<DraftAction>): void
}

/** The file of an action and its caption. */
export function FileChoice({ action, error, onChange }: Props) {
  const t = useActionText()
  const [fault, setFault] = useState<string | null>(null)
  const { file, mediaFileName: name } = action
  async function choose(chosen: File | null) {
    if (!chosen) return
    const { taken } = isFlowFile(chosen) ? await checkFiles([chosen], 0) : { taken: [] }
    const [attachment] = taken
    setFault(attachment ? null : t(isFlowFile(chosen) ? 'badFile' : 'badType', { name: chosen.name }))
    if (!attachment) return
    drop(action)
    onChange(withFile(action, attachment))
  }
  const message = fault ?? error
  return (
    <>
      <div className={classes.file}>
        <FileButton onChange={chosen => void choose(chosen)} accept={FLOW_FILES}>
          {props => (
            <Button {...props} variant="default" leftSection={<IconUpload size={16} aria-hidden />}>
              {t(name ? 'otherFile' : 'chooseFile')}
            </Button>
          )}
        </FileButton>
        <span className={classes.hint}>
          {name ? `${name}${file ? ` · ${sizeText(file.size)}` : ''}` : t('files')}
        </span>
      </div>
      {message && (
        <p className={classes.fault} role="alert">
          {message}
        </p>
      )}
      <Textarea
        label={t('caption')}
        autosize
        minRows={1}
        maxRows={4}
        maxLength={1024}
        value={action.body}
        onChange={event => onChange({ body: event.currentTarget.value })}
      />
    </>
  )
}
