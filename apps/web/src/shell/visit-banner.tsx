import { visits } from '@balcao/contract/visits.ts'
import { Button } from '@mantine/core'
import { IconEye } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { call } from '../platform/call.ts'
import { texts } from '../platform/text.ts'
import { clock } from '../platform/time.ts'
import { type Visiting, visiting } from '../platform/visit.ts'
import classes from './account-banner.module.css'
import { useBranding } from './branding.ts'
import DrillBanner from './drill-banner.tsx'

const useText = texts({
  visit: [
    'Visita a {company} até {time}: só leitura. A empresa vê quem visitou e o que foi aberto.',
    'Visit to {company} until {time}: read only. The company sees who visited and what was opened.',
    'Visita a {company} hasta las {time}: solo lectura. La empresa ve quién visitó y qué se abrió.',
  ],
  end: ['Encerrar visita', 'End visit', 'Terminar visita'],
})

/** A drill; the visited company, and the end of the visit: then the page returns to the own company. */
export default function VisitBanner() {
  const [visit] = useState(visiting.now)
  const { drill } = useBranding()
  return (
    <>
      {drill && <DrillBanner />}
      {visit && <Banner {...visit} />}
    </>
  )
}

function Banner({ user, visit }: Visiting) {
  const t = useText()
  useEffect(() => {
    const timer = setTimeout(visiting.leave, Math.max(0, Date.parse(visit.endsAt) - Date.now()))
    return () => clearTimeout(timer)
  }, [visit])
  return (
    <div className={classes.banner} data-account="visit">
      <IconEye size={18} stroke={1.75} aria-hidden className={classes.icon} />
      <span>
        {t('visit', { company: user.company.companyName, time: clock(visit.endsAt).format('HH:mm') })}
      </span>
      <Button size="compact-sm" variant="default" onClick={() => void end(visit)}>
        {t('end')}
      </Button>
    </div>
  )
}

/** Sent with the own token; if it gets lost, the visit expires. */
async function end({ id: visitId, companyId }: Visiting['visit']) {
  visiting.drop()
  await call(visits.end, { params: { companyId, visitId } }).catch(() => {})
  location.assign(`/companiesManager/${companyId}`)
}
