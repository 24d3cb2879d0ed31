import { IconArrowLeft } from '@tabler/icons-react'
import { type ReactNode, useEffect } from 'react'
import { useBrandOutside } from '../../outside/brand.ts'
import { LanguageChoice } from '../../shell/language-choice.tsx'
import { MarkOf } from '../../shell/mark-of.tsx'
import { useLeadText } from './leads.text.ts'
import classes from './store-page.module.css'

/** A page of the store: the brand and the way back above, its matter below. */
export function StorePage({ title, hint, children }: { title: string; hint: string; children: ReactNode }) {
  const t = useLeadText()
  const { platformName, logoFile, marketingUrl } = useBrandOutside()
  useEffect(() => {
    document.title = `${title} · ${platformName}`
  }, [title, platformName])
  return (
    <div className={classes.page}>
      <header className={classes.top}>
        <span className={classes.brand}>
          <MarkOf logoFile={logoFile} size={28} />
          {platformName}
        </span>
        <a className={classes.back} href={marketingUrl || '/'}>
          <IconArrowLeft size={16} aria-hidden />
          {t('back')}
        </a>
      </header>
      <main className={classes.matter}>
        <h1 className={classes.title}>{title}</h1>
        <p className={classes.hint}>{hint}</p>
        {children}
      </main>
      <footer className={classes.foot}>
        <LanguageChoice className={classes.language} />
      </footer>
    </div>
  )
}
