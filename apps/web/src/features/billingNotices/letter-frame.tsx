import classes from './billingNotices.module.css'

/** In a sandboxed frame, without scripts and links: HTML written by a user is not part of this page. */
export function Html({ title, html }: { title: string; html: string }) {
  return (
    <iframe
      title={title}
      className={classes.frame}
      sandbox=""
      srcDoc={`<meta charset="utf-8"><body style="font:16px/1.5 system-ui,sans-serif;margin:16px;color:#1d2733">${html}`}
    />
  )
}
