import { type ReactNode, useEffect } from 'react'
import { useBranding } from '../../shell/branding.ts'
import { LanguageChoice } from '../../shell/language-choice.tsx'
import { Mark } from '../../shell/mark.tsx'
import { soon } from '../../ui/soon.tsx'
import { useAuthText } from './auth.text.ts'
import { Counter } from './counter.tsx'
import classes from './entry-page.module.css'

const DrillBanner = soon(() => import('../../shell/drill-banner.tsx'))

/** Layout without a session: the illustration on one side, a form on a sheet on the other. */
export function EntryPage({ title, hint, children }: { title: string; hint: string; children: ReactNode }) {
  const t = useAuthText()
  const { platformName, drill } = useBranding()
  useEffect(() => {
    document.title = `${title} · ${platformName}`
  }, [title, platformName])
  return (
    <div className={classes.door}>
      <aside className={classes.counter}>
        <span className={classes.brand}>
          <Mark size={32} />
          {platformName}
        </span>
        <p className={classes.headline}>{t('headline')}</p>
        <p className={classes.promise}>{t('promise')}</p>
        <Counter />
      </aside>
      <main className={classes.sheet}>
        <div className={classes.form}>
          {drill && <DrillBanner />}
          <span className={classes.name}>
            <Mark size={28} />
            {platformName}
          </span>
          <h1 className={classes.title}>{title}</h1>
          <p className={classes.hint}>{hint}</p>
          {children}
        </div>
        <LanguageChoice className={classes.language} />
      </main>
    </div>
  )
}
