import { Button, Stack } from '@mantine/core'
import { drafts } from '../../platform/drafts.ts'
import { notify } from '../../platform/notify.tsx'
import { useActing } from '../../ui/acting.ts'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { useGoTo } from '../../ui/go-to.ts'
import { TargetFields, useTarget } from '../messages/actions/target.tsx'
import { attach } from '../messages/composer/attachments.tsx'
import classes from './push.module.css'
import { usePushText } from './push.text.ts'
import { dropShared, type Shared } from './share-target.ts'

/** For whom another app shared a text or files: they are begun in the composer of that ticket, and sent by its user. */
export default function ShareDialog({
  shared: { text, files },
  onClose,
}: {
  shared: Shared
  onClose(): void
}) {
  const t = usePushText()
  const goTo = useGoTo()
  const target = useTarget()
  const { busy, act } = useActing()
  const share = () =>
    act(async () => {
      try {
        const ticket = await target.reach()
        if (!ticket) return
        const written = drafts.read(ticket.id)
        if (text) drafts.keep(ticket.id, written ? `${written}\n${text}` : text)
        if (files.length > 0) await attach(ticket.id, files)
        await dropShared()
        goTo(`/tickets/${ticket.id}`)
      } catch (error) {
        notify.failed(error)
      }
    })
  return (
    <Dialog title={t('shareTitle')} onClose={onClose} size={620}>
      <form
        onSubmit={event => {
          event.preventDefault()
          if (target.isReady) void share()
        }}
      >
        <Stack gap={12}>
          <ul className={classes.shared} aria-label={t('shared')}>
            {text && <li className="one-line">{text}</li>}
            {files.map(({ name }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two files may have one name, and none moves
              <li key={at}>{name}</li>
            ))}
          </ul>
          <TargetFields target={target} />
          <p className={classes.hint}>{t('shareHint')}</p>
        </Stack>
        <DialogActions onClose={onClose}>
          <Button type="submit" disabled={!target.isReady} loading={busy}>
            {t('choose')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
