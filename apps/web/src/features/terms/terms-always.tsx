import { useState } from 'react'
import { useMay, useUser } from '../../platform/session.tsx'
import { soon } from '../../ui/soon.tsx'

const TermsDialog = soon(() => import('./terms.dialog.tsx'))

/** Asks an admin to accept the terms of the operator, once in a session until they are accepted. */
export function TermsAlways() {
  const { termsDue } = useUser().company
  const administers = useMay('administration')
  const [isLater, setLater] = useState(false)
  if (!termsDue || !administers || isLater) return null
  return <TermsDialog onClose={() => setLater(true)} />
}
