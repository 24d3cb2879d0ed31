import { useStore } from '../../platform/store.ts'
import { CopiedField } from '../../ui/copied-field.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { tokenToShow } from './apiTokens.api.ts'
import { useApiTokenText } from './apiTokens.text.ts'

/** A token that was just created or renewed: it is shown once. */
export function TokenOnce() {
  const t = useApiTokenText()
  const shown = useStore(tokenToShow, one => one)
  if (!shown) return null
  return (
    <Dialog title={t('onceTitle', { name: shown.name })} onClose={() => tokenToShow.write(null)}>
      <p>{t('once')}</p>
      <CopiedField label={t('token')} value={shown.id} />
    </Dialog>
  )
}
