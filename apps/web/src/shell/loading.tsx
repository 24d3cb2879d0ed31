import { texts } from '../platform/text.ts'
import { Late } from '../ui/late.tsx'
import classes from './loading.module.css'

const useText = texts({ loading: ['Carregando', 'Loading', 'Cargando'] })

export function Loading() {
  const t = useText()
  return (
    <div className={classes.loading} role="status">
      <Late>
        <span className={classes.spinner} aria-hidden />
        <span className="sr-only">{t('loading')}</span>
      </Late>
    </div>
  )
}
