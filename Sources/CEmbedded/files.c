#include "CEmbedded.h"
#include <string.h>

// clang reads each file through #embed, and compiles this one again when one of them changes. SwiftPM's `.embedInCode`
// makes an array literal of Swift of them all, which took three minutes to compile.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t file_0001_farm_sql[] = {
#embed "../Coordinator/Store/Migrations/0001_farm.sql"
};
static const uint8_t file_0002_secret_sql[] = {
#embed "../Coordinator/Store/Migrations/0002_secret.sql"
};
static const uint8_t file_0003_references_sql[] = {
#embed "../Coordinator/Store/Migrations/0003_references.sql"
};
static const uint8_t file_0004_history_sql[] = {
#embed "../Coordinator/Store/Migrations/0004_history.sql"
};
static const uint8_t file_0005_versions_sql[] = {
#embed "../Coordinator/Store/Migrations/0005_versions.sql"
};
static const uint8_t file_0006_stills_sql[] = {
#embed "../Coordinator/Store/Migrations/0006_stills.sql"
};
static const uint8_t file_0007_measure_sql[] = {
#embed "../Coordinator/Store/Migrations/0007_measure.sql"
};
static const uint8_t file_0008_stages_sql[] = {
#embed "../Coordinator/Store/Migrations/0008_stages.sql"
};
static const uint8_t file_0009_copies_sql[] = {
#embed "../Coordinator/Store/Migrations/0009_copies.sql"
};
static const uint8_t file_0010_submissions_sql[] = {
#embed "../Coordinator/Store/Migrations/0010_submissions.sql"
};
static const uint8_t file_0011_quotas_sql[] = {
#embed "../Coordinator/Store/Migrations/0011_quotas.sql"
};
static const uint8_t file_0012_owners_sql[] = {
#embed "../Coordinator/Store/Migrations/0012_owners.sql"
};
static const uint8_t file_0013_joining_turns_sql[] = {
#embed "../Coordinator/Store/Migrations/0013_joining_turns.sql"
};
static const uint8_t file_0014_parts_sql[] = {
#embed "../Coordinator/Store/Migrations/0014_parts.sql"
};
static const uint8_t file_0015_document_slices_sql[] = {
#embed "../Coordinator/Store/Migrations/0015_document_slices.sql"
};
static const uint8_t file_0016_control_sql[] = {
#embed "../Coordinator/Store/Migrations/0016_control.sql"
};
static const uint8_t file_0017_logs_sql[] = {
#embed "../Coordinator/Store/Migrations/0017_logs.sql"
};
static const uint8_t file_0018_offers_sql[] = {
#embed "../Coordinator/Store/Migrations/0018_offers.sql"
};
static const uint8_t file_0019_looking_sql[] = {
#embed "../Coordinator/Store/Migrations/0019_looking.sql"
};
static const uint8_t file_0020_opening_sql[] = {
#embed "../Coordinator/Store/Migrations/0020_opening.sql"
};
static const uint8_t file_0021_night_sql[] = {
#embed "../Coordinator/Store/Migrations/0021_night.sql"
};
static const uint8_t file_0022_sources_sql[] = {
#embed "../Coordinator/Store/Migrations/0022_sources.sql"
};
static const uint8_t file_0023_tokens_sql[] = {
#embed "../Coordinator/Store/Migrations/0023_tokens.sql"
};
static const uint8_t file_0024_webhooks_sql[] = {
#embed "../Coordinator/Store/Migrations/0024_webhooks.sql"
};
static const uint8_t file_0025_retention_sql[] = {
#embed "../Coordinator/Store/Migrations/0025_retention.sql"
};
static const uint8_t file_0026_traces_sql[] = {
#embed "../Coordinator/Store/Migrations/0026_traces.sql"
};
static const uint8_t file_0027_deliveries_sql[] = {
#embed "../Coordinator/Store/Migrations/0027_deliveries.sql"
};
static const uint8_t file_0028_audit_sql[] = {
#embed "../Coordinator/Store/Migrations/0028_audit.sql"
};
static const uint8_t file_0029_requirements_sql[] = {
#embed "../Coordinator/Store/Migrations/0029_requirements.sql"
};
static const uint8_t file_0030_objects_sql[] = {
#embed "../Coordinator/Store/Migrations/0030_objects.sql"
};
static const uint8_t file_0031_machines_sql[] = {
#embed "../Coordinator/Store/Migrations/0031_machines.sql"
};
static const uint8_t file_0032_job_assets_sql[] = {
#embed "../Coordinator/Store/Migrations/0032_job_assets.sql"
};
static const uint8_t file_0033_bucket_uploads_sql[] = {
#embed "../Coordinator/Store/Migrations/0033_bucket_uploads.sql"
};
static const uint8_t file_0034_worker_counts_sql[] = {
#embed "../Coordinator/Store/Migrations/0034_worker_counts.sql"
};
static const uint8_t file_openapi_json[] = {
#embed "../Coordinator/API/openapi.json"
};
static const uint8_t file_index_html[] = {
#embed "../Coordinator/Dashboard/Files/index.html"
};
static const uint8_t file_dashboard_css[] = {
#embed "../Coordinator/Dashboard/Files/dashboard.css"
};
static const uint8_t file_main_js[] = {
#embed "../Coordinator/Dashboard/Files/main.js"
};
static const uint8_t file_api_js[] = {
#embed "../Coordinator/Dashboard/Files/api.js"
};
static const uint8_t file_dom_js[] = {
#embed "../Coordinator/Dashboard/Files/dom.js"
};
static const uint8_t file_words_js[] = {
#embed "../Coordinator/Dashboard/Files/words.js"
};
static const uint8_t file_list_js[] = {
#embed "../Coordinator/Dashboard/Files/list.js"
};
static const uint8_t file_detail_js[] = {
#embed "../Coordinator/Dashboard/Files/detail.js"
};
static const uint8_t file_timeline_js[] = {
#embed "../Coordinator/Dashboard/Files/timeline.js"
};
static const uint8_t file_inspector_js[] = {
#embed "../Coordinator/Dashboard/Files/inspector.js"
};
static const uint8_t file_plot_js[] = {
#embed "../Coordinator/Dashboard/Files/plot.js"
};
static const uint8_t file_workers_js[] = {
#embed "../Coordinator/Dashboard/Files/workers.js"
};
static const uint8_t file_batch_js[] = {
#embed "../Coordinator/Dashboard/Files/batch.js"
};
static const uint8_t file_player_js[] = {
#embed "../Coordinator/Dashboard/Files/player.js"
};
static const uint8_t file_actions_js[] = {
#embed "../Coordinator/Dashboard/Files/actions.js"
};
static const uint8_t file_keys_js[] = {
#embed "../Coordinator/Dashboard/Files/keys.js"
};
static const uint8_t file_drop_js[] = {
#embed "../Coordinator/Dashboard/Files/drop.js"
};
static const uint8_t file_digest_js[] = {
#embed "../Coordinator/Dashboard/Files/digest.js"
};
static const uint8_t file_notify_js[] = {
#embed "../Coordinator/Dashboard/Files/notify.js"
};

#define FILE_NAMED(name, bytes) { name, bytes, sizeof bytes }

static const cut_file files[] = {
    FILE_NAMED("0001_farm.sql", file_0001_farm_sql),
    FILE_NAMED("0002_secret.sql", file_0002_secret_sql),
    FILE_NAMED("0003_references.sql", file_0003_references_sql),
    FILE_NAMED("0004_history.sql", file_0004_history_sql),
    FILE_NAMED("0005_versions.sql", file_0005_versions_sql),
    FILE_NAMED("0006_stills.sql", file_0006_stills_sql),
    FILE_NAMED("0007_measure.sql", file_0007_measure_sql),
    FILE_NAMED("0008_stages.sql", file_0008_stages_sql),
    FILE_NAMED("0009_copies.sql", file_0009_copies_sql),
    FILE_NAMED("0010_submissions.sql", file_0010_submissions_sql),
    FILE_NAMED("0011_quotas.sql", file_0011_quotas_sql),
    FILE_NAMED("0012_owners.sql", file_0012_owners_sql),
    FILE_NAMED("0013_joining_turns.sql", file_0013_joining_turns_sql),
    FILE_NAMED("0014_parts.sql", file_0014_parts_sql),
    FILE_NAMED("0015_document_slices.sql", file_0015_document_slices_sql),
    FILE_NAMED("0016_control.sql", file_0016_control_sql),
    FILE_NAMED("0017_logs.sql", file_0017_logs_sql),
    FILE_NAMED("0018_offers.sql", file_0018_offers_sql),
    FILE_NAMED("0019_looking.sql", file_0019_looking_sql),
    FILE_NAMED("0020_opening.sql", file_0020_opening_sql),
    FILE_NAMED("0021_night.sql", file_0021_night_sql),
    FILE_NAMED("0022_sources.sql", file_0022_sources_sql),
    FILE_NAMED("0023_tokens.sql", file_0023_tokens_sql),
    FILE_NAMED("0024_webhooks.sql", file_0024_webhooks_sql),
    FILE_NAMED("0025_retention.sql", file_0025_retention_sql),
    FILE_NAMED("0026_traces.sql", file_0026_traces_sql),
    FILE_NAMED("0027_deliveries.sql", file_0027_deliveries_sql),
    FILE_NAMED("0028_audit.sql", file_0028_audit_sql),
    FILE_NAMED("0029_requirements.sql", file_0029_requirements_sql),
    FILE_NAMED("0030_objects.sql", file_0030_objects_sql),
    FILE_NAMED("0031_machines.sql", file_0031_machines_sql),
    FILE_NAMED("0032_job_assets.sql", file_0032_job_assets_sql),
    FILE_NAMED("0033_bucket_uploads.sql", file_0033_bucket_uploads_sql),
    FILE_NAMED("0034_worker_counts.sql", file_0034_worker_counts_sql),
    FILE_NAMED("openapi.json", file_openapi_json),
    FILE_NAMED("index.html", file_index_html),
    FILE_NAMED("dashboard.css", file_dashboard_css),
    FILE_NAMED("main.js", file_main_js),
    FILE_NAMED("api.js", file_api_js),
    FILE_NAMED("dom.js", file_dom_js),
    FILE_NAMED("words.js", file_words_js),
    FILE_NAMED("list.js", file_list_js),
    FILE_NAMED("detail.js", file_detail_js),
    FILE_NAMED("timeline.js", file_timeline_js),
    FILE_NAMED("inspector.js", file_inspector_js),
    FILE_NAMED("plot.js", file_plot_js),
    FILE_NAMED("workers.js", file_workers_js),
    FILE_NAMED("batch.js", file_batch_js),
    FILE_NAMED("player.js", file_player_js),
    FILE_NAMED("actions.js", file_actions_js),
    FILE_NAMED("keys.js", file_keys_js),
    FILE_NAMED("drop.js", file_drop_js),
    FILE_NAMED("digest.js", file_digest_js),
    FILE_NAMED("notify.js", file_notify_js),
};

const cut_file *cut_file_named(const char *name) {
    for (size_t index = 0; index < sizeof files / sizeof *files; index++)
        if (strcmp(files[index].name, name) == 0) return &files[index];
    return NULL;
}
