/**
 * Colours of the reference page with a contrast of 4.5 and more, in place of those of Swagger UI that have less.
 *
 * @see WCAG 2.2, success criterion 1.4.3
 */
export const pageColors = `
.swagger-ui .info .title small pre.version { color: #fff; }
.swagger-ui .info .title small { background: #4b5262; }
.swagger-ui .info .title small.version-stamp { background: #4d6b00; }
.swagger-ui .info .url, .swagger-ui .info a { color: #1f5fae; }
.swagger-ui .btn.authorize { border-color: #1b6e49; color: #1b6e49; }
.swagger-ui .btn.authorize span { color: #1b6e49; }
.swagger-ui .btn.authorize svg { fill: #1b6e49; }
.swagger-ui .opblock.opblock-get .opblock-summary-method { background: #1f5fae; }
.swagger-ui .opblock.opblock-post .opblock-summary-method { background: #1b6e49; }
.swagger-ui .opblock.opblock-put .opblock-summary-method { background: #8a5200; }
.swagger-ui .opblock.opblock-patch .opblock-summary-method { background: #0f6b5c; }
.swagger-ui .opblock.opblock-delete .opblock-summary-method { background: #b3261e; }
.swagger-ui .btn.cancel, .swagger-ui .btn.try-out__btn.cancel { border-color: #b3261e; color: #b3261e; }
.swagger-ui .btn.execute { background: #1f5fae; border-color: #1f5fae; color: #fff; }
.swagger-ui .parameter__in, .swagger-ui .parameter__type, .swagger-ui .prop-format { color: #5a5a5a; }
.swagger-ui .parameter__name.required span, .swagger-ui .parameter__name.required::after { color: #b3261e; }
.swagger-ui .microlight span { color: #fff !important; }
.swagger-ui .json-schema-2020-12-expand-deep-button { color: #4b4b4b; }
html.dark-mode .swagger-ui .opblock-section-header, html.dark-mode .swagger-ui .scheme-container { background: #24292b; }
html.dark-mode .swagger-ui .info .url, html.dark-mode .swagger-ui .info a { color: #9cc4ff; }
html.dark-mode .swagger-ui .btn.authorize { border-color: #7ddbae; color: #7ddbae; }
html.dark-mode .swagger-ui .btn.authorize span { color: #7ddbae; }
html.dark-mode .swagger-ui .btn.authorize svg { fill: #7ddbae; }
html.dark-mode .swagger-ui .btn.cancel, html.dark-mode .swagger-ui .try-out .btn.try-out__btn.cancel { border-color: #ffb4ab; color: #ffb4ab; }
html.dark-mode .swagger-ui .parameter__in, html.dark-mode .swagger-ui .parameter__type,
html.dark-mode .swagger-ui .prop-format, html.dark-mode .swagger-ui .json-schema-2020-12-expand-deep-button { color: #c3c9cb; }
html.dark-mode .swagger-ui .parameter__name.required span,
html.dark-mode .swagger-ui .parameter__name.required::after { color: #ffb4ab; }
html.dark-mode .swagger-ui .headers .header-col, html.dark-mode .swagger-ui table.headers td,
html.dark-mode .swagger-ui table thead tr th, html.dark-mode .swagger-ui table thead tr td { color: #e4e6e6; }
`;
