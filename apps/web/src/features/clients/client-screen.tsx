import { Navigate, useParams } from 'react-router'
import { ClientBlocks } from './client-blocks.tsx'
import { useClientText } from './clients.text.ts'

/** One company, for the operator. */
export default function ClientScreen() {
  const t = useClientText()
  const companyId = Number(useParams().companyId)
  if (!Number.isInteger(companyId) || companyId < 1) return <Navigate to="/companies" replace />
  return (
    <ClientBlocks
      key={companyId}
      companyId={companyId}
      back={{ path: '/companies', label: t('back') }}
      mayAssign
    />
  )
}
