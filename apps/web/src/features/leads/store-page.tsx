import { NativeSelect } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { type ReactNode, useEffect } from 'react'
import { Link } from 'react-router'
import { type Language, languages, speak, useLanguage } from '../../platform/text.ts'
import { useBranding } from '../../shell/branding.ts'
import { Mark } from '../../shell/mark.tsx'
import { useLeadText } from './leads.text.ts'
import classes from './store-page.module.css'

/** A page of the store: the brand and the way back above, its matter below. */
export function StorePage({ title, hint, children }: { title: string; hint: string; children: ReactNode }) {
  const t = useLeadText()
  const language = useLanguage()
  const { platformName, marketingUrl } = useBranding()
  useEffect(() => {
    document.title = `${title} · ${platformName}`
  }, [title, platformName])
  const back = (
    <>
      <IconArrowLeft size={16} aria-hidden />
      {t('back')}
    </>
  )
  return (
    <div className={classes.page}>
      <header className={classes.top}>
        <span className={classes.brand}>
          <Mark size={28} />
          {platformName}
        </span>
        {marketingUrl ? (
          <a className={classes.back} href={marketingUrl}>
            {back}
          </a>
        ) : (
          <Link className={classes.back} to="/">
            {back}
          </Link>
        )}
      </header>
      <main className={classes.matter}>
        <h1 className={classes.title}>{title}</h1>
        <p className={classes.hint}>{hint}</p>
        {children}
      </main>
      <footer className={classes.foot}>
        <NativeSelect
          aria-label={t('language')}
          className={classes.language}
          value={language}
          data={languages}
          onChange={event => speak(event.currentTarget.value as Language)}
        />
      </footer>
    </div>
  )
}
