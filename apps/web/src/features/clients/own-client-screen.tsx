import { useUser } from '../../platform/session.tsx'
import { ClientBlocks } from './client-blocks.tsx'
import { useClientText } from './clients.text.ts'

/** The own company, for its paying users: they choose no plan. */
export default function OwnClientScreen() {
  const t = useClientText()
  const { companyId } = useUser()
  return (
    <ClientBlocks
      companyId={companyId}
      back={{ path: '/tickets', label: t('toTickets') }}
      mayAssign={false}
    />
  )
}
