/**
 * The words that statements are written with. They come in by this one door: Node reads the library's long list of
 * entries again for every file that names it, which was a tenth of a start.
 */
export * from 'drizzle-orm'
