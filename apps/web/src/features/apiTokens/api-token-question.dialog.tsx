import type { ApiSendMessageToken } from '@balcao/contract/apiTokens.ts'
import { useState } from 'react'
import { notify } from '../../platform/notify.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { renewApiToken, revokeApiToken } from './apiTokens.api.ts'
import { useApiTokenText } from './apiTokens.text.ts'

interface Props {
  token: ApiSendMessageToken
  what: 'renew' | 'revoke'
  onClose(): void
}

/** Confirms that a token stops working. */
export function ApiTokenQuestion({ token: { id, name }, what, onClose }: Props) {
  const t = useApiTokenText()
  const [busy, setBusy] = useState(false)
  const doIt = what === 'renew' ? renewApiToken : revokeApiToken
  const confirmed = async () => {
    setBusy(true)
    await doIt(id).then(() => notify.done(t(`${what}Done`)), notify.failed)
    onClose()
  }
  return (
    <Confirm
      title={t(`${what}Title`, { name })}
      confirm={t(`${what}Do`)}
      danger
      busy={busy}
      onConfirm={() => void confirmed()}
      onClose={onClose}
    >
      {t(`${what}Hint`)}
    </Confirm>
  )
}
