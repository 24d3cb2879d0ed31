import { Button, TextInput } from '@mantine/core'
import { notify } from '../../platform/notify.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { useInvitationText } from './invitations.text.ts'

/** Without mail the inviting user passes the link on. */
export function LinkDialog({ link, onClose }: { link: string; onClose(): void }) {
  const t = useInvitationText()
  const copy = () => navigator.clipboard.writeText(link).then(() => notify.done(t('copied')))
  return (
    <Dialog title={t('linkTitle')} onClose={onClose}>
      <TextInput
        readOnly
        data-autofocus
        label={t('link')}
        description={t('linkHint')}
        value={link}
        onFocus={event => event.currentTarget.select()}
      />
      <DialogActions onClose={onClose}>
        <Button onClick={() => void copy()}>{t('copy')}</Button>
      </DialogActions>
    </Dialog>
  )
}
