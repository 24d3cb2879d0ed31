import {
  asVariable,
  headerOf,
  isFile,
  mayBeHeader,
  missingIn,
  previewOf,
} from '@balcao/contract/cloud.templates.rules.ts'
import type { CloudTemplate } from '@balcao/contract/cloud.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { Button, Stack } from '@mantine/core'
import { useState } from 'react'
import { newId } from '../../../platform/ids.ts'
import { notify } from '../../../platform/notify.tsx'
import { useViewer } from '../../../platform/session.tsx'
import { useActing } from '../../../ui/acting.ts'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { useUnsaved } from '../../../ui/unsaved.ts'
import { HeaderFile } from '../../cloud/header-file.tsx'
import { TemplateChoice } from '../../cloud/template-choice.tsx'
import { TemplatePlaces } from '../../cloud/template-places.tsx'
import { checkFiles } from '../../media/files.ts'
import { sendTemplate } from '../sending/send.ts'
import { useDialogText } from './composer.dialogs.text.ts'
import { useComposeText } from './composer.text.ts'
import classes from './template.module.css'

interface Props {
  ticket: Ticket
  onClose(): void
}

/**
 * Chooses an approved template, fills it in and sends it: all that may be sent once a customer was silent for
 * a day.
 */
export default function TemplateDialog({ ticket, onClose }: Props) {
  const t = useComposeText()
  const [chosen, setChosen] = useState<CloudTemplate | null>(null)
  return (
    <Dialog title={t('sendTemplate')} onClose={onClose} size={620}>
      {chosen ? (
        <Fill ticket={ticket} template={chosen} onBack={() => setChosen(null)} onClose={onClose} />
      ) : (
        <TemplateChoice whatsappId={ticket.whatsappId ?? 0} onChoose={setChosen} onClose={onClose} />
      )}
    </Dialog>
  )
}

interface FillProps {
  ticket: Ticket
  template: CloudTemplate
  onBack(): void
  onClose(): void
}

function Fill({ ticket, template, onBack, onClose }: FillProps) {
  const t = useComposeText()
  const d = useDialogText()
  const viewer = useViewer()
  const [variables, setVariables] = useState(() => template.placeholders.map(() => ''))
  const [file, setFile] = useState<File | null>(null)
  useUnsaved(variables.some(Boolean) || file !== null)
  // chosen as it opens: what is sent twice, because an answer was lost, is sent and paid once
  const [id] = useState(newId)
  const { busy, act } = useActing()
  const header = headerOf(template)
  const missing = missingIn(template, variables, { hasFile: file !== null })
  const choose = async (chosen: File | null) => {
    const { taken, refused } = await checkFiles(chosen ? [chosen] : [], 0)
    const isWrong = refused.length > 0 || (chosen && header && !mayBeHeader(header, chosen))
    if (isWrong) return notify.warn(d('badHeader', { name: chosen!.name }))
    setFile(taken[0]?.file ?? null)
    // a file fills the place of its address
    if (chosen) setVariables(variables.map((one, at) => (isFile(template.placeholders[at]!.kind) ? '' : one)))
  }
  const send = async () => {
    const { name, language } = template
    const filled = { name, language, variables: variables.map(asVariable) }
    const content = { id, template: filled, body: previewOf(template, variables) }
    await sendTemplate(ticket, viewer, content, file).then(onClose, notify.failed)
  }
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        if (missing.length === 0) void act(send)
      }}
    >
      <Stack gap={12}>
        <TemplatePlaces
          places={template.placeholders}
          variables={variables}
          onChange={setVariables}
          hasFile={file !== null}
          fileChoice={header && <HeaderFile kind={header} file={file} onChange={choose} />}
        />
        <figure className={classes.preview}>
          <figcaption>{d('preview')}</figcaption>
          <p data-template-preview>{previewOf(template, variables)}</p>
          {template.buttons.map(text => (
            <span key={text} className={classes.button}>
              {text}
            </span>
          ))}
        </figure>
      </Stack>
      <DialogActions onClose={onClose}>
        <Button variant="default" onClick={onBack}>
          {d('back')}
        </Button>
        <Button type="submit" loading={busy} disabled={missing.length > 0}>
          {t('send')}
        </Button>
      </DialogActions>
    </form>
  )
}
